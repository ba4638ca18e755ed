export { type DoctorDependencies, type Examined, examine } from './examine.ts';
export type { Finding } from './finding.ts';
export { createBacklogReader } from './read-backlog.ts';
export { summarizeFindings } from './views/doctor-message.ts';
