export { findPolicy } from './find-policy.ts';
export {
  listAllPolicies,
  type PolicyReading,
  type Reading,
  readAllCompliance,
  readCompliance,
} from './read-compliance.ts';
export {
  calculateShare,
  formatReading,
  formatShare,
  sumStatistics,
} from './views/format-compliance.ts';
export { complianceButton, policyMenu } from './views/policy-choice.ts';
export {
  type PolicyChoice,
  severalPoliciesMessage,
  unknownPolicyMessage,
} from './views/policy-choice-message.ts';
