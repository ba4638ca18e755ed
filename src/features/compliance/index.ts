export { listAllPolicies, type PolicyReading, readAllCompliance } from './read-compliance.ts';
export { calculateShare } from './views/format-compliance.ts';
