export const olderActionId = 'audit.older';
