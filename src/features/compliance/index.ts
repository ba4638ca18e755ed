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
  type Reading,
  readAllCompliance,
  readCompliance,
} from './read-compliance.ts';
export { type PolicyReadings, readPolicySamples } from './read-policy-samples.ts';
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
export { complianceButton, policyMenu } from './views/policy-choice.ts';
export {
  knownPoliciesNote,
  type PolicyChoice,
  severalPoliciesMessage,
  unknownPolicyMessage,
} from './views/policy-choice-message.ts';
