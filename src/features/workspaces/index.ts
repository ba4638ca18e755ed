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
export type { WorkspaceStore } from './store/workspace-store.ts';
export {
  type Connection,
  type NewConnection,
  type SaveResult,
  type Setup,
  serviceConnection,
  type WorkspaceSettings,
} from './workspace.ts';
