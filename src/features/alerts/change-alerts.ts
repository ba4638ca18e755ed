import type { AuditEntry } from '../../audit-log/entry.ts';
import type { ActionName } from '../../audit-log/registry.ts';
import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { isCleared } from '../../dataprotection/resources/alert-filter.ts';
import { type Alert, readAlert } from '../../dataprotection/resources/alerts.ts';
import { annotateAlert, clearAlert } from '../../dataprotection/resources/change-alert.ts';
import { ExplainedError } from '../../explained-error.ts';
import type { AlertChange, ReportAlert } from './alert-context.ts';
import type { ChangeOutcome } from './views/change-message.ts';
import { hashNotes } from './views/change-modals.ts';
import { nameOf, problemOf } from './views/format-alert.ts';

/** A change that must not happen without an audit log entry was not made, because none could be written. */
export class NotLoggedError extends ExplainedError {
  override name = 'NotLoggedError';

  constructor(cause: unknown) {
    super(
      'a change of an alert could not be logged, so it was not made',
      "Belay couldn't write to its audit log, so it didn't change the alert. Nothing was changed. Try again in a minute.",
      { cause },
    );
  }
}

type ChangeInput = {
  client: ServiceClient;
  connectionId: string;
  teamId: string;
  alertId: string;
  /** Slack user id. */
  actor: string;
  now: Clock;
  /** Appends an entry to the audit log, in its own transaction. */
  log: (entry: AuditEntry) => Promise<void>;
  signal?: AbortSignal | undefined;
};

type ClearInput = ChangeInput & {
  /** Written below the note that the alert has. */
  addedNote?: string | undefined;
  /** An earlier attempt may have cleared it: then that attempt did, if it is cleared. */
  mayBeDone?: boolean;
};

/** The outcomes in which this person changed the alert; after any other, nobody is named for it. */
const changesByOutcome: { [result in ChangeOutcome['result']]?: AlertChange['what'] } = {
  cleared: 'cleared',
  noted: 'noted',
  'note-removed': 'noted',
};

/** Runs a change and reports the alert as it is afterward. Undefined when the alert is gone. */
export async function changeAlert<Input extends ChangeInput>(
  input: Input & { report: ReportAlert },
  run: (input: Input) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome | undefined> {
  const outcome = await undefinedIfGone(run(input));
  // An unconfirmed outcome holds the alert as it was before the change, so it is not reported.
  if (outcome && outcome.result !== 'unconfirmed') {
    const { teamId, connectionId, actor: by, report } = input;
    const what = changesByOutcome[outcome.result];
    report({ teamId, connectionId, alert: outcome.alert, change: what && { by, what } });
  }
  return outcome;
}

/**
 * Clears an alert, which can't be undone, so it is logged first. When two people clear the same alert
 * at the same moment, both messages say that they did: the service does not say who was first.
 * @throws {NotLoggedError} before anything was changed; {ServiceError}
 */
export async function clear(input: ClearInput): Promise<ChangeOutcome> {
  const { client, alertId, addedNote, signal, mayBeDone = false } = input;
  const alert = await readAlert(client, alertId, { signal });
  if (isCleared(alert) && !mayBeDone) return { result: 'was-cleared', alert };
  const cleared = await runLogged(input, alert, {
    event: 'alert_cleared',
    action: 'alerts.clear',
    change: async () =>
      isCleared(alert) ? alert : clearAlert(client, alertId, { signal, addedNote }),
    isDone: isCleared,
    announced: isCleared(alert) ? undefined : 'Clear the alert about',
    personal: addedNote ? { note: addedNote } : undefined,
  });
  return cleared ? { result: 'cleared', alert: cleared } : { result: 'unconfirmed', alert };
}

/**
 * Writes the note of an alert, unless it changed since the modal was opened. The service has no
 * conditional update, so a note that someone else writes at the same moment can be lost.
 * @throws {ServiceError}
 */
export async function note(
  input: ChangeInput & { text: string; shownNotesHash: string },
): Promise<ChangeOutcome> {
  const { client, alertId, text, shownNotesHash } = input;
  const alert = await readAlert(client, alertId);
  const present = alert.notes ?? '';
  if (present.trim() === text) return { result: 'same-note', alert };
  if (hashNotes(present) !== shownNotesHash) return { result: 'note-changed', alert, typed: text };
  const noted = await runLogged(input, alert, {
    event: 'note_changed',
    action: 'alerts.note',
    change: () => annotateAlert(client, alertId, text),
    isDone: ({ notes = '' }) => notes.trim() === text,
    personal: { note: text },
  });
  if (!noted) return { result: 'unconfirmed', alert };
  return { result: text ? 'noted' : 'note-removed', alert: noted };
}

type LoggedChange = {
  event: 'alert_cleared' | 'note_changed';
  action: ActionName;
  change: () => Promise<Alert>;
  isDone: (alert: Alert) => boolean;
  personal?: Record<string, string> | undefined;
  /** For a change that can't be undone: the summary of the entry that is written before it. */
  announced?: string | undefined;
};

/**
 * Makes a change and logs it when the service has confirmed it, or when its outcome is unknown. A
 * change that was certainly not made is logged only if it was announced. Undefined when the answer
 * does not show the change.
 */
async function runLogged(
  { alertId, teamId, actor, now, log }: ChangeInput,
  before: Alert,
  { event, action, change, isDone, personal, announced }: LoggedChange,
): Promise<Alert | undefined> {
  const subject = `${nameOf(before.primaryEntity)}, ${problemOf(before)}`;
  const append = (what: Pick<AuditEntry, 'event' | 'facts'>, summary = subject) =>
    log({
      teamId,
      at: now(),
      actor,
      action,
      subjectId: alertId,
      event: what.event,
      facts: { alertId, ...what.facts },
      personal: { ...personal, summary, subject },
    });
  const appendOutcome = (outcome: 'done' | 'unknown') => append({ event, facts: { outcome } });

  if (announced) {
    await append({ event: 'started' }, `${announced} ${subject}`).catch((error: unknown) => {
      throw new NotLoggedError(error);
    });
  }
  const after = await change().catch(async (error: unknown) => {
    const mayBeDone = !(error instanceof ServiceError) || error.mayHaveActed;
    if (mayBeDone) await appendOutcome('unknown');
    else if (announced) await append({ event: 'failed' }, `${announced} ${subject}`);
    throw error;
  });
  const isConfirmed = isDone(after);
  await appendOutcome(isConfirmed ? 'done' : 'unknown');
  return isConfirmed ? after : undefined;
}
