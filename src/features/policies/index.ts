export { createAlertReader } from './remember-policies.ts';
export type { RememberPolicies } from './store/policy-catalog.ts';
