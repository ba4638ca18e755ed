import type { LogEntry } from '../../audit-log/entry.ts';
import type { ActionName } from '../../audit-log/registry.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';
import { annotateAlert, clearAlert } from '../../dataprotection/resources/change-alert.ts';
import { type AlertRef, type Deed, existing, type ShowChange } from './show-alert.ts';
import type { ChangeOutcome } from './views/change-message.ts';
import { nameOf, problemOf } from './views/format-alert.ts';
import { hashNotes } from './views/note-modal.ts';

/** Keeps an entry for good, in a transaction of its own. */
export type LogAlertChange = (entry: LogEntry) => Promise<void>;

/** What must not be done unlogged could not be logged, so it was not done. */
export class NotLoggedError extends Error {
  constructor(cause: unknown) {
    super('a change of an alert could not be logged, so it was not made', { cause });
    this.name = 'NotLoggedError';
  }
}

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

/**
 * Clears an alert for good, which is logged before it is done: asked again, it changes and logs nothing,
 * so what was not logged then never would be. Throws `NotLoggedError`. Of two who clear it in the very
 * same moment both are told that it is cleared: the service does not say who was first.
 */
export async function clear(wish: Wish): Promise<ChangeOutcome> {
  const { client, alertId } = wish;
  const alert = await readAlert(client, alertId);
  if (isCleared(alert)) return { result: 'was-cleared', alert };
  const cleared = await logged(wish, alert, {
    event: 'alert_cleared',
    action: 'alerts.clear',
    change: () => clearAlert(client, alertId),
    isDone: isCleared,
    announced: 'Clear the alert about',
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
  if (hashNotes(present) !== seenDigest) return { result: 'note-changed', alert, typed: text };
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
  action: ActionName;
  change: () => Promise<Alert>;
  isDone: (alert: Alert) => boolean;
  personal?: Record<string, string>;
  /** For what cannot be taken back: how the log says that it is about to be done. */
  announced?: string;
};

/**
 * Makes a change and logs it once the service has confirmed it, or when nobody knows whether it was
 * made. What certainly was not made is logged only if it was announced. Undefined when the answer shows
 * no change.
 */
async function logged(
  { alertId, teamId, actor, now, log }: Wish,
  before: Alert,
  { event, action, change, isDone, personal, announced }: Change,
): Promise<Alert | undefined> {
  const subject = `${nameOf(before.primaryEntity)}, ${problemOf(before)}`;
  const enter = (what: Pick<LogEntry, 'event' | 'facts'>, summary = subject) =>
    log({
      ...{ teamId, at: now(), actor, action, subjectId: alertId },
      ...{ event: what.event, facts: { alertId, ...what.facts } },
      personal: { ...personal, summary, subject },
    });
  const enterOutcome = (outcome: 'done' | 'unknown') => enter({ event, facts: { outcome } });

  if (announced) {
    await enter({ event: 'started' }, `${announced} ${subject}`).catch((error: unknown) => {
      throw new NotLoggedError(error);
    });
  }
  const after = await change().catch(async (error: unknown) => {
    const mayBeDone = !(error instanceof ServiceError) || error.mayHaveActed;
    if (mayBeDone) await enterOutcome('unknown');
    else if (announced) await enter({ event: 'failed' }, `${announced} ${subject}`);
    throw error;
  });
  const isConfirmed = isDone(after);
  await enterOutcome(isConfirmed ? 'done' : 'unknown');
  return isConfirmed ? after : undefined;
}
