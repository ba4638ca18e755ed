import { addMilliseconds } from '../../dates.ts';
import type { Approval } from '../approval.ts';

/**
 * When those who can decide a request are reminded next, after `after`: first so many minutes after the
 * request, and each later gap is twice as long. Reminders that were missed meanwhile are left out.
 * Undefined without reminders, and once the request has expired by then.
 */
export function nextReminder(
  { requestedAt, expiresAt, rule }: Pick<Approval, 'requestedAt' | 'expiresAt' | 'rule'>,
  after: Date,
): Date | undefined {
  const { remindAfterMinutes } = rule ?? {};
  if (remindAfterMinutes === undefined) return undefined;
  const firstMs = remindAfterMinutes * 60_000;
  const elapsed = Math.max(0, after.getTime() - requestedAt.getTime());
  // The gaps of the first n reminders add up to 2^n - 1 times the first.
  const count = Math.floor(Math.log2(elapsed / firstMs + 1)) + 1;
  const at = addMilliseconds(requestedAt, firstMs * (2 ** count - 1));
  return at < expiresAt ? at : undefined;
}
