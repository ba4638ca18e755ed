export { readDueCompliance } from './compliance/read-due-compliance.ts';
export { describeWatches } from './describe-watches.ts';
export { createWatches } from './poller.ts';
export { readOldestDuePoll } from './store/alert-poll-lease.ts';
export {
  isWatchingPolicies,
  lockPolicyWatchers,
} from './store/policy-watch-store.ts';
export { listWatchChannels, readOutage } from './store/watch-health.ts';
export { createPostedAlertUpdater, type PostedAlertUpdater } from './update-posted-alerts.ts';
export { watchSummaryButton } from './views/summary-button.ts';
