export { observePolicies } from './observe-policies.ts';
export { isWeakening, type RecordedChange, weakeningFirst } from './recorded-change.ts';
export type { ListChanges } from './store/list-changes.ts';
export { readPolicyHealth } from './store/observation-health.ts';
export {
  changesCommand,
  formatChange,
  formatChangeCount,
  formatOrigin,
} from './views/format-change.ts';
