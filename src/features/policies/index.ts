export { hasSameContent } from './difference/canonical.ts';
export { comparePolicies } from './difference/compare-policies.ts';
export {
  overallWeight,
  type PolicyChange,
  type Weight,
  weakerFirst,
} from './difference/policy-change.ts';
export { findDeviations, isReplaced } from './is-as-approved.ts';
export { policyActions } from './policy-actions.ts';
export { registerPolicyChanges } from './register-changes.ts';
export { createAlertReader } from './remember-policies.ts';
export type { RememberPolicies } from './store/policy-catalog.ts';
export { createPayload, type ReplacePayload, replacePayload } from './stored-change.ts';
export { storedDefinitionSchema } from './stored-policy.ts';
export { differenceSections, formatDifference } from './views/format-difference.ts';
