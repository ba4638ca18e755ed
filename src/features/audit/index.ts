export { createLogAnnouncer } from './announce-log.ts';
export { createCheckpointKeeper } from './keep-checkpoints.ts';
