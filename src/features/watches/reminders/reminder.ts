import { z } from 'zod';
import { min } from '../../../dates.ts';

/** The times to choose from, in minutes. */
export const reminderMinutes = [15, 30, 60, 120, 240] as const;

/** When a watch reminds its channel of errors without an owner, and the user group that is mentioned. */
export const reminder = z.strictObject({
  afterMinutes: z.literal(reminderMinutes),
  group: z
    .string()
    .regex(/^S[A-Z0-9]+$/, "isn't a Slack user group ID. Example: S0123ABC")
    .optional(),
});

export type Reminder = z.infer<typeof reminder>;

/** "15 minutes", "1 hour" */
export function formatAfter({ afterMinutes }: Pick<Reminder, 'afterMinutes'>): string {
  if (afterMinutes < 60) return `${afterMinutes} minutes`;
  return afterMinutes === 60 ? '1 hour' : `${afterMinutes / 60} hours`;
}

/** What a watch has reminded of so far; `count` is 0 if nothing has to be repeated. */
export type Reminded = { at: Date | undefined; count: number };

/**
 * An active error that the channel has a message about, or a summary that counts it. `isUnowned`: it has
 * neither owner nor snooze, and isn't known to be muted.
 */
export type PostedError = { key: string; since: Date; isUnowned: boolean };

type ReminderPlan = {
  /** Those to remind of now, the oldest first; none if a reminder isn't due. */
  due: PostedError[];
  reminded: Reminded;
  /** When to look again; undefined until another error is posted. */
  next: Date | undefined;
};

const dayMs = 24 * 60 * 60_000;

/**
 * Plans the reminders of a watch. The first one comes once an error has had no owner for the time, the next
 * after twice the time, then four times, at most once a day. Another error is a reason to start anew, but
 * two reminders are always at least the time apart.
 *
 * @param errors - The oldest first.
 */
export function planReminder(
  { afterMinutes }: Reminder,
  reminded: Reminded,
  errors: readonly PostedError[],
  at: Date,
): ReminderPlan {
  const afterMs = afterMinutes * 60_000;
  const later = (time: Date, ms = afterMs) => new Date(time.getTime() + ms);
  const unowned = errors.filter(({ isUnowned }) => isUnowned);
  const overdue = unowned.filter(({ since }) => later(since) <= at);
  const [pending] = unowned.slice(overdue.length);
  if (overdue.length === 0) {
    // One may be released, or its snooze or mute may end.
    const next = pending ? later(pending.since) : errors.length > 0 ? later(at) : undefined;
    return { due: [], reminded: { at: undefined, count: 0 }, next };
  }
  const last = reminded.at;
  const isNew = overdue.some(({ since }) => last === undefined || later(since) > last);
  const repeatAfter = (count: number) => Math.min(afterMs * 2 ** count, dayMs);
  const repeatAt = last && (isNew ? later(last) : later(last, repeatAfter(reminded.count)));
  if (repeatAt && repeatAt > at) {
    const another = pending && last && later(pending.since > last ? pending.since : last);
    return { due: [], reminded, next: another ? min([repeatAt, another]) : repeatAt };
  }
  const count = isNew ? 1 : reminded.count + 1;
  const next = pending ? later(at) : later(at, repeatAfter(count));
  return { due: overdue, reminded: { at, count }, next };
}
