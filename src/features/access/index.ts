export {
  type Access,
  createAccess,
  createOpenTeams,
  type Members,
  type OpenTeams,
} from './access.ts';
export { createDirectReaders } from './direct-readers.ts';
export { openAccess } from './open-access.ts';
export type { StandIn } from './stand-in.ts';
export { type GroupStore, pruneGroups, purgeGroups } from './store/group-store.ts';
export { createStandInStore, purgeStandIns, type StandInStore } from './store/stand-in-store.ts';
export { formatStandIn, standInBlocks } from './views/stand-in-messages.ts';
