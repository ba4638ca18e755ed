export const changeSettingActionId = 'setup.change';
export const changeOwnerActionId = 'setup.change-owner';
export const openSetupActionId = 'setup.open';
export const tokenPageActionId = 'setup.token-page';
export const editRolesActionId = 'access.edit';
export const showAccessActionId = 'access.show';
export const editRuleActionId = 'access.edit-rule';
export const editProtectedActionId = 'access.edit-protected';

export const addConnectionActionId = 'connections.add';
export const editConnectionActionId = 'connections.edit';
export const makeDefaultActionId = 'connections.make-default';
export const removeConnectionActionId = 'connections.remove';
export const pinChannelActionId = 'connections.pin';
export const unpinChannelActionId = 'connections.unpin';
