export { comparePolicies } from './difference/compare-policies.ts';
export { overallWeight, type PolicyChange, type Weight } from './difference/policy-change.ts';
export { policyActions } from './policy-actions.ts';
