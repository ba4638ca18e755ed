export { maxCountRange } from './compliance/compliance-watch.ts';
export { createComplianceReader } from './compliance/read-due-compliance.ts';
export { createHoldEnder } from './mutes/end-due-holds.ts';
export { maxMutesPerChannel, maxReasonLength } from './mutes/mute.ts';
export { readMutes } from './mutes/register-mutes.ts';
export { createWatches } from './poller.ts';
export { quietHours } from './quiet-hours.ts';
export { anchorMs, readAnchor } from './read-anchor.ts';
export { reminder } from './reminders/reminder.ts';
export { createReminderSender } from './reminders/send-due-reminders.ts';
export { describeWatches } from './show-watches.ts';
export { pollAtOnce, readOldestDuePoll, readOutage } from './store/alert-poll-lease.ts';
export { changeComplianceWatch, insertComplianceWatch } from './store/compliance-watch-store.ts';
export { isWatchingPolicies, lockPolicyWatchers } from './store/policy-watch-store.ts';
export { lockPoll, lockPolledWatches } from './store/read-watches.ts';
export {
  alertWatches,
  complianceWatches,
  muteFamily,
  mutes,
  policyWatches,
  watchFamily,
} from './store/watch-kinds.ts';
export { insertAlertWatch, quietColumns, reminderColumns } from './store/watch-store.ts';
export { createDueStateUpdater } from './update-due-states.ts';
export { createPostedAlertUpdater } from './update-posted-alerts.ts';
export { type ChannelMutes, muteRows } from './views/mute-messages.ts';
export { watchSummaryButton } from './views/watch-list-message.ts';
export { type Anchor, maxWatchesPerChannel } from './watch.ts';
export type { WatchContext } from './watch-context.ts';
