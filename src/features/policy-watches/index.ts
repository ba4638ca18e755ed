export { createPolicyObserver } from './observe-policies.ts';
export { type RecordedChange, weakeningFirst } from './recorded-change.ts';
export type { PolicyChanges } from './store/all-changes.ts';
export { readPolicyHealth, unreadSince } from './store/observation-health.ts';
export {
  changesCommand,
  formatChange,
  formatOrigin,
  formatUnobserved,
  formatUnread,
  formatWeakening,
} from './views/format-change.ts';
