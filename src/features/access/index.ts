export {
  type Access,
  createAccess,
  createOpenTeams,
  type Members,
  type OpenTeams,
} from './access.ts';
export { createDirectReaders } from './direct-readers.ts';
export { findUnmetApproval, type UnmetApproval } from './find-unmet-approval.ts';
export { openAccess } from './open-access.ts';
export { createGroupStore, type GroupStore, purgeGroups } from './store/group-store.ts';
