export { createLogAnnouncer } from './announce-log.ts';
