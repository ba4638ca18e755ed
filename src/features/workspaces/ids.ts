export const setupCallbackId = 'workspaces.setup';

/** Blocks of the setup form; field errors are keyed by them. */
export const setupBlocks = {
  region: 'region',
  token: 'token',
  organizationalUnit: 'organizational-unit',
  approvers: 'approvers',
  approvalsChannel: 'approvals-channel',
} as const;
