export const setupCallbackId = 'workspaces.setup';
export const chooseUnitActionId = 'workspaces.choose-unit';
export const openSetupActionId = 'setup.open';
export const tokenPageActionId = 'setup.token-page';
export const confirmSetupCallbackId = 'setup.confirm';
export const reasonBlockId = 'reason';

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
