export { observePolicies } from './observe-policies.ts';
export { watchPolicies } from './watch-policies.ts';
