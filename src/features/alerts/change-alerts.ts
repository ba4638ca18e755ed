import { isCleared } from '../../dataprotection/alert-filter.ts';
import { type Alert, readAlert } from '../../dataprotection/alerts.ts';
import { annotateAlert, clearAlert } from '../../dataprotection/change-alert.ts';
import { ServiceError } from '../../dataprotection/errors.ts';
import type { LogEntry } from '../audit/audit.ts';
import type { ChangeOutcome } from './change-message.ts';
import { digestOfNotes } from './note-modal.ts';
import { type AlertRef, type Deed, existing, type ShowChange } from './show-alert.ts';
import { nameOf, problemOf } from './words.ts';

/** Keeps an entry for good, in a transaction of its own. */
export type LogAlertChange = (entry: LogEntry) => Promise<void>;

type Wish = AlertRef & {
  /** Slack user id. */
  actor: string;
  now: () => Date;
  log: LogAlertChange;
};

/** After any other outcome the alert is as somebody else left it. */
const deeds: { [result in ChangeOutcome['result']]?: Deed['what'] } = {
  cleared: 'cleared',
  noted: 'noted',
  'note-removed': 'noted',
};

/** Makes a change and lets others see the alert as it is then. Undefined when the alert is gone. */
export async function changeAlert(
  wish: Wish & { show: ShowChange },
  act: (wish: Wish) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome | undefined> {
  const outcome = await existing(act(wish));
  // An unconfirmed one is as it was before, if anything is known of it at all.
  if (outcome && outcome.result !== 'unconfirmed') {
    const { teamId, connectionId, actor: by, show } = wish;
    const what = deeds[outcome.result];
    show({ teamId, connectionId, alert: outcome.alert, deed: what && { by, what } });
  }
  return outcome;
}

/** Clears an alert for good. Asked again, it changes and logs nothing. */
export async function clear(wish: Wish): Promise<ChangeOutcome> {
  const { client, alertId } = wish;
  const alert = await readAlert(client, alertId);
  if (isCleared(alert)) return { result: 'was-cleared', alert };
  const cleared = await logged(wish, alert, {
    event: 'alert_cleared',
    action: 'alerts.clear',
    change: () => clearAlert(client, alertId),
    isDone: isCleared,
  });
  return cleared ? { result: 'cleared', alert: cleared } : { result: 'unconfirmed', alert };
}

/**
 * Writes the note of an alert, unless someone else wrote another one since this one was begun. The
 * service has no condition for a change, so that a note written in the very same moment can still win
 * or lose.
 */
export async function note(
  wish: Wish & { text: string; seenDigest: string },
): Promise<ChangeOutcome> {
  const { client, alertId, text, seenDigest } = wish;
  const alert = await readAlert(client, alertId);
  const present = alert.notes ?? '';
  if (present.trim() === text) return { result: 'same-note', alert };
  if (digestOfNotes(present) !== seenDigest) return { result: 'note-changed', alert, typed: text };
  const noted = await logged(wish, alert, {
    event: 'alert_noted',
    action: 'alerts.note',
    change: () => annotateAlert(client, alertId, text),
    isDone: ({ notes = '' }) => notes.trim() === text,
    personal: { note: text },
  });
  if (!noted) return { result: 'unconfirmed', alert };
  return { result: text ? 'noted' : 'note-removed', alert: noted };
}

type Change = {
  event: 'alert_cleared' | 'alert_noted';
  action: string;
  change: () => Promise<Alert>;
  isDone: (alert: Alert) => boolean;
  personal?: Record<string, string>;
};

/**
 * Makes a change and logs it once the service has confirmed it, or when nobody knows whether it was
 * made. What certainly was not made is not logged. Undefined when the answer shows no change.
 */
async function logged(
  { alertId, teamId, actor, now, log }: Wish,
  before: Alert,
  { event, action, change, isDone, personal }: Change,
): Promise<Alert | undefined> {
  const enter = (outcome: 'done' | 'unknown') =>
    log({
      ...{ teamId, at: now(), event, actor, action, subjectId: alertId },
      facts: { alertId, outcome },
      personal: { ...personal, summary: `${nameOf(before.primaryEntity)}, ${problemOf(before)}` },
    });
  const after = await change().catch(async (error: unknown) => {
    if (error instanceof ServiceError && error.mayHaveActed) await enter('unknown');
    throw error;
  });
  const isConfirmed = isDone(after);
  await enter(isConfirmed ? 'done' : 'unknown');
  return isConfirmed ? after : undefined;
}
