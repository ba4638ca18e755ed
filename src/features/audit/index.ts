export { createLogAnnouncer } from './announce-log.ts';
export type { AuditRecord, AuditStore } from './store/audit-store.ts';
export { formatEvent } from './views/audit-list-message.ts';
