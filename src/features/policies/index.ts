export { findDeviations, isReplaced } from './changes/is-as-approved.ts';
export { policyActions } from './changes/policy-actions.ts';
export { hasSameContent } from './difference/canonical.ts';
export { comparePolicies } from './difference/compare-policies.ts';
export { overallWeight, type PolicyChange, weakerFirst } from './difference/policy-change.ts';
export { createAlertReader } from './remember-policies.ts';
export {
  createPayload,
  type ReplacePayload,
  replacePayload,
  storedDefinitionSchema,
} from './stored-policy.ts';
export {
  differenceSections,
  fitsDifference,
  formatDifference,
  summarizeDifference,
} from './views/format-difference.ts';
