export const setupCallbackId = 'workspaces.setup';
export const chooseUnitActionId = 'workspaces.choose-unit';
export const openSetupActionId = 'setup.open';
export const tokenPageActionId = 'setup.token-page';
export const confirmSetupCallbackId = 'setup.confirm';
export const editRolesActionId = 'access.edit';
export const rolesCallbackId = 'access.save';
export const showAccessActionId = 'access.show';
export const editRuleActionId = 'access.edit-rule';
export const ruleCallbackId = 'access.save-rule';
export const editProtectedActionId = 'access.edit-protected';
export const protectedCallbackId = 'access.save-protected';
export const reasonBlockId = 'reason';

export const connectionCallbackId = 'connections.save';
export const addConnectionActionId = 'connections.add';
export const editConnectionActionId = 'connections.edit';
export const makeDefaultActionId = 'connections.make-default';
export const removeConnectionActionId = 'connections.remove';
export const pinChannelActionId = 'connections.pin';
export const unpinChannelActionId = 'connections.unpin';
/** Of the form of a connection, beside those of the setup form. */
export const connectionNameBlockId = 'connection-name';

/** Blocks of the setup form; field errors are keyed by them. */
export const setupBlocks = {
  region: 'region',
  token: 'token',
  tokenOwner: 'token-owner',
  organizationalUnit: 'organizational-unit',
  approvers: 'approvers',
  approvalsChannel: 'approvals-channel',
  deleteGrace: 'delete-grace',
  usersPerHour: 'users-per-hour',
  weakeningApprovals: 'weakening-approvals',
} as const;

/** Blocks of the form of a rule, beside one for each approval. */
export const ruleBlocks = {
  requesters: 'requesters',
  hoursToDecide: 'hours-to-decide',
  hoursToRun: 'hours-to-run',
  remindAfterMinutes: 'remind-after',
  breakGlass: 'break-glass',
  remove: 'remove',
} as const;
export const approvalBlockId = (index: number): string => `approval-${index + 1}`;
export const countBlockId = (index: number): string => `${approvalBlockId(index)}-count`;
