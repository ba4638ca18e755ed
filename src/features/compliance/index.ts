export {
  hasBothCounts,
  hasCounts,
  lastReading,
  nextBaseline,
  type PolicySample,
  type StoredSample,
} from './policy-sample.ts';
export { listAllPolicies, type PolicyReading, readAllCompliance } from './read-compliance.ts';
export { type PolicyReadings, readPolicySamples } from './read-policy-samples.ts';
export { sampleCompliance } from './sample-compliance.ts';
export {
  type ComplianceSamples,
  canStoreSample,
  insertSamples,
  type NewSample,
} from './store/compliance-samples.ts';
export { formatShare, sumStatistics } from './views/format-compliance.ts';
