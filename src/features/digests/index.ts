export { describeDigests } from './describe-digests.ts';
export {
  type DigestSettings,
  digestParts,
  digestSettings,
  firstPeriodStart,
  maxDigestsPerChannel,
} from './digest.ts';
export { createDigestRunner } from './run-due-digests.ts';
export { digestFamily, digests } from './store/digest-kind.ts';
export { changeDigest, insertDigest, readOldestDueDigest } from './store/digest-store.ts';
export { readTimeZone } from './time-zone.ts';
export { zoneError } from './views/digest-form.ts';
export {
  formatNextRun,
  formatSchedule,
  formatTime,
  weekdayNames,
} from './views/format-settings.ts';
