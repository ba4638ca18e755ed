export { maxCountRange } from './compliance/compliance-watch.ts';
export { readDueCompliance } from './compliance/read-due-compliance.ts';
export { describeWatches } from './describe-watches.ts';
export { createWatches } from './poller.ts';
export { anchorMs, readAnchor } from './read-anchor.ts';
export { pollAtOnce, readOldestDuePoll } from './store/alert-poll-lease.ts';
export {
  type AlertWatchItem,
  addAlertWatch,
  addComplianceWatch,
  addPolicyWatch,
  type ComplianceWatchItem,
  type ConfiguredWatches,
  changeComplianceWatch,
  changeWatchOwner,
  endAlertWatch,
  endOtherWatch,
  readConfiguredWatches,
} from './store/configured-watches.ts';
export { endWatches } from './store/end-watches.ts';
export {
  isWatchingPolicies,
  lockPolicyWatchers,
} from './store/policy-watch-store.ts';
export { listUnreadableWatches } from './store/read-watches.ts';
export { listWatchChannels, readOutage } from './store/watch-health.ts';
export { createPostedAlertUpdater, type PostedAlertUpdater } from './update-posted-alerts.ts';
export { watchSummaryButton } from './views/summary-button.ts';
export { type Anchor, maxWatchesPerChannel } from './watch.ts';
