export { mayDecide } from './approver.ts';
export { listUnits } from './list-units.ts';
export {
  createOpenService,
  notConnected,
  type OpenService,
  RegionMissingError,
  type Service,
  TokenUnreadableError,
  type WorkspaceSettings,
} from './open-service.ts';
export { type ChangeRights, isApproverOrAdmin, readMayChange, whoMayChange } from './rights.ts';
