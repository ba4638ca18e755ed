export { maxCountRange } from './compliance/compliance-watch.ts';
export { createComplianceReader } from './compliance/read-due-compliance.ts';
export { describeWatches } from './describe-watches.ts';
export { createHoldEnder } from './mutes/end-due-holds.ts';
export { maxMutesPerChannel, maxReasonLength } from './mutes/mute.ts';
export { type ChannelMutes, readMutes } from './mutes/read-mutes.ts';
export { createWatches, type Watches } from './poller.ts';
export { quietHours } from './quiet-hours.ts';
export { anchorMs, readAnchor } from './read-anchor.ts';
export { reminder, reminderMinutes } from './reminders/reminder.ts';
export { createReminderSender } from './reminders/send-due-reminders.ts';
export { pollAtOnce, readOldestDuePoll, readOutage } from './store/alert-poll-lease.ts';
export { changeComplianceWatch, insertComplianceWatch } from './store/compliance-watch-store.ts';
export type { MuteStore } from './store/mute-store.ts';
export { isWatchingPolicies, lockPolicyWatchers } from './store/policy-watch-store.ts';
export { lockPoll } from './store/read-watches.ts';
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
export { createPostedAlertUpdater, type PostedAlertUpdater } from './update-posted-alerts.ts';
export { muteRows } from './views/mute-messages.ts';
export { watchSummaryButton } from './views/summary-button.ts';
export { type Anchor, maxWatchesPerChannel } from './watch.ts';
