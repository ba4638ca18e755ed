export { listAllPolicies, type PolicyReading, readAllCompliance } from './read-compliance.ts';
export { formatShare, sumStatistics } from './views/format-compliance.ts';
