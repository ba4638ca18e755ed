export const detailsActionId = 'alerts.details';
export const newerActionId = 'alerts.newer';
export const olderActionId = 'alerts.older';
export const filterActionId = 'alerts.filter';
export const noteActionId = 'alerts.note';
export const clearActionId = 'alerts.clear';

export const filterCallbackId = 'alerts.filter';
export const noteCallbackId = 'alerts.note';
export const clearCallbackId = 'alerts.clear';
