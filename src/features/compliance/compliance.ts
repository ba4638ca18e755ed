export { shareOf } from './compliance-text.ts';
export { listAllPolicies } from './list-all-policies.ts';
export { type PolicyReading, readAllCompliance } from './read-all-compliance.ts';
