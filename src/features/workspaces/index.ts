export { findHiddenAddresses } from './hidden-addresses.ts';
export { listUnits } from './list-units.ts';
export {
  createOpenService,
  notConnected,
  type OpenService,
  RegionMissingError,
  type Service,
  TokenUnreadableError,
} from './open-service.ts';
export {
  type ChangeRights,
  isApproverOrAdmin,
  mayDecide,
  readMayChange,
  whoMayChange,
} from './permissions.ts';
export { listApprovalsChannels } from './store/approvals-channels.ts';
export { createTokenCipher } from './store/token-cipher.ts';
export { listConnectedTeams, readTokenKey } from './store/token-key.ts';
export { createWorkspaceStore, type WorkspaceStore } from './store/workspace-store.ts';
export { type Connection, serviceConnection, type WorkspaceSettings } from './workspace.ts';
