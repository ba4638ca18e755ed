export { createBacklogReader } from './read-backlog.ts';
