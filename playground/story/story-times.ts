import { TZDate } from '@date-fns/tz';

/** When the story begins, and when its digest is posted. */
export type StoryTimes = { begin: Date; digest: Date; now: Date };

const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The zone of Ana, who sees the story first. */
export const storyZone = 'Europe/Lisbon';
export const digestTime = '08:00';
/** What follows the digest needs this long. */
const afterDigestMs = 45 * minuteMs;

/** The digest is the one of this morning, or of yesterday if it is too early today. */
export function planStory(now: Date): StoryTimes {
  const morning = new TZDate(now.getTime() - afterDigestMs, storyZone);
  const isBefore = morning.getHours() < 8;
  if (isBefore) morning.setDate(morning.getDate() - 1);
  morning.setHours(8, 0, 0, 0);
  const digest = new Date(morning.getTime());
  return { begin: new Date(digest.getTime() - 3 * dayMs + hourMs), digest, now };
}
