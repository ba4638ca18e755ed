export {
  type Access,
  createAccess,
  createOpenTeams,
  type Members,
  type OpenTeams,
} from './access.ts';
export { openAccess } from './open-access.ts';
export { createGroupStore, type GroupStore, purgeGroups } from './store/group-store.ts';
