export { describeCompliance } from './describe-compliance.ts';
export { type FoundPolicy, findPolicy } from './find-policy.ts';
export {
  hasBothCounts,
  hasCounts,
  lastReading,
  nextBaseline,
  type PolicySample,
  type StoredSample,
} from './policy-sample.ts';
export {
  type ListKnownPolicies,
  listAllPolicies,
  type PolicyName,
  type PolicyReading,
  type PolicyReadings,
  type Reading,
  readAllCompliance,
  readCompliance,
  readPolicySamples,
} from './read-compliance.ts';
export { createComplianceSampler } from './sample-compliance.ts';
export {
  type ComplianceSamples,
  canStoreSample,
  insertSamples,
  type NewSample,
  sampleRetentionDays,
} from './store/compliance-samples.ts';
export {
  calculateShare,
  formatReading,
  formatShare,
  sumStatistics,
} from './views/format-compliance.ts';
export {
  complianceButton,
  knownPoliciesNote,
  type PolicyChoice,
  policyMenu,
  severalPoliciesMessage,
  unknownPolicyMessage,
} from './views/policy-choice.ts';
