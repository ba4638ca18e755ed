export const detailsActionId = 'alerts.details';
export const newerActionId = 'alerts.newer';
export const olderActionId = 'alerts.older';
