export { comparePolicies } from './difference/compare-policies.ts';
export { overallWeight, type PolicyChange, type Weight } from './difference/policy-change.ts';
export { policyActions } from './policy-actions.ts';
export { registerPolicyChanges } from './register-changes.ts';
export { createAlertReader } from './remember-policies.ts';
export type { RememberPolicies } from './store/policy-catalog.ts';
