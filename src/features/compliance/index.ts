export { listAllPolicies } from './list-all-policies.ts';
export { type PolicyReading, readAllCompliance } from './read-all-compliance.ts';
export { shareOf } from './views/format-compliance.ts';
