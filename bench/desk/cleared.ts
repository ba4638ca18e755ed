import { z } from 'zod';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Random } from '../../playground/service/data/random.ts';
import type { Fault } from '../../playground/service/faults/fault.ts';
import type { ReceivedRequest } from '../../playground/service/portal/portal-server.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { OpenView } from '../../playground/slack/protocol.ts';
import { amount } from '../read-options.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { countBy } from '../statistics.ts';
import { type DeskSetup, isCopy, killAll, patienceMs, raise, readMessages } from './stage.ts';

export const clearedAlerts = amount(500, 30);
export const clearingChannel = { channelId: 'C0CLEARING', name: 'clearing' };
const word = 'desk-clear';
const noteBefore = 'Known since May';
const note = 'Duplicates of OPS-7';
/** One in so many is cleared by somebody else after the form was opened, or had a note before. */
const clearedElsewhere = 10;
const noted = 7;

/**
 * Of PATCH requests, in percent. All but the 503 of an outage come after the service has acted, so that what
 * acted is known from the status.
 */
const faults: { outOf100: number; fault: Fault }[] = [
  { outOf100: 12, fault: { kind: 'status', status: 500, afterActing: true } },
  { outOf100: 12, fault: { kind: 'reset', afterActing: true } },
  { outOf100: 2, fault: { kind: 'hang', afterActing: true } },
];
const usual: Fault = { kind: 'slow', delayMs: 100 };
const path = '/alerts/individual/';

const ids = Array.from(
  { length: clearedAlerts },
  (_, index) => `${word}-${String(index).padStart(3, '0')}`,
);
const isElsewhere = (index: number) => index % clearedElsewhere === 3;

/** An admin, whose other dialogs don't close the form. */
const inOwnWindow = (slack: LocalSlack) => actAs(slack, people.cleo, 'clearing');

/** *Clear all…* of a list: opens the form, as an admin. */
export async function openClearing({ testBed }: DeskSetup): Promise<OpenView> {
  const { slack, service, portal } = testBed;
  const raised = ids.map((id, index) =>
    raise(testBed, id, `${word} #${index}#`, index % noted === 0 ? noteBefore : ''),
  );
  const cleo = inOwnWindow(slack);
  await cleo.send(clearingChannel.name, `/belay alerts "${word}"`);
  await cleo.press(await cleo.seeMessage(`${clearedAlerts} active: `), 'Clear all…');
  const form = await cleo.seeDialog("This can't be undone.");
  for (const alert of raised.filter((_, index) => isElsewhere(index))) {
    const at = new Date().toISOString();
    const cleared = { status: 'cleared', cleared_timestamp: at, updated_timestamp: at };
    service.putAlert(portal.id, { ...alert, ...cleared });
  }
  return form;
}

/** Replaces the faults of the service by those of single changes, with lost answers. */
export function setClearingFaults({ testBed: { service } }: DeskSetup, random: Random): void {
  service.setFault(undefined);
  for (const id of ids) {
    let roll = random.integer(1, 100);
    const picked = faults.find(({ outOf100 }) => {
      roll -= outOf100;
      return roll <= 0;
    });
    if (!picked) continue;
    service.addFault(picked.fault, { method: 'PATCH', pathPrefix: `${path}${id}`, times: 1 });
  }
  service.addFault(usual, { method: 'PATCH' });
}

/** Confirms the form, and kills all replicas once a third was sent. Resolves to how many had a result then. */
export async function clearAll(
  setup: DeskSetup,
  { form, writes }: { form: OpenView; writes: () => Set<ReceivedRequest> },
): Promise<number> {
  const submitted = await inOwnWindow(setup.testBed.slack).submit(form, { note: { input: note } });
  if (submitted.result !== 'ok') throw new Error(`the form was answered with ${submitted.result}`);
  const isSent = () => writes().size >= clearedAlerts / 3;
  if (!(await waitFor(isSent, { forMs: 2 * patienceMs, everyMs: 10 })))
    throw new Error('a third of the alerts was not cleared in time');
  await killAll(setup);
  const rows = await readItems(setup);
  return rows.filter(({ result }) => result !== null).length;
}

const readItems = ({ db }: DeskSetup) =>
  db.selectFrom('alert_clearing_item').selectAll().orderBy('position').execute();

export async function countResults(setup: DeskSetup): Promise<Record<string, number>> {
  return countBy(await readItems(setup), ({ result }) => result ?? 'left');
}

const facts = z.object({ outcome: z.string().optional() }).catchall(z.unknown());

/**
 * Each alert has a result that is true of the service, was cleared at most once, and has the note once. The
 * message and the audit log have the same numbers.
 */
export async function checkCleared(
  setup: DeskSetup,
  writes: Set<ReceivedRequest>,
): Promise<string[]> {
  const { db, testBed } = setup;
  const clearings = await db.selectFrom('alert_clearing').selectAll().execute();
  const [clearing] = clearings;
  if (clearings.length !== 1 || !clearing?.finished_at) return ['the clearing is not finished'];
  const items = await readItems(setup);
  const rows = await db
    .selectFrom('audit_log')
    .select(['event', 'subject_id', 'facts'])
    .where('action', '=', 'alerts.clear')
    .execute();
  const entries = rows.map((row) => ({ ...row, facts: facts.parse(row.facts) }));
  const alerts = new Map(testBed.service.alerts(testBed.portal.id).map((one) => [one.id, one]));
  const results = countBy(items, ({ result }) => result ?? 'left');
  const unknown = items.filter(({ alert_id: id }) => !ids.includes(id));
  return [
    ...(new Set(items.map(({ alert_id: id }) => id)).size === clearedAlerts && unknown.length === 0
      ? []
      : [`${items.length} alerts were chosen, ${clearedAlerts} match`]),
    ...items.flatMap(({ alert_id: id, result, is_note_missing: isNoteMissing }) => {
      const alert = alerts.get(id);
      const acted = [...writes].filter(
        (one) => one.path.split('?')[0] === `${path}${id}` && hasActed(one),
      );
      const own = entries.filter(({ subject_id: subject }) => subject === id);
      return checkItem({ id, result, isNoteMissing, alert, acted: acted.length, own }).map(
        (violation) => `${id} (${result}): ${violation}`,
      );
    }),
    ...checkProgress(setup, results),
    ...checkCount(entries, 'alert_clearing_started', { alerts: clearedAlerts }),
    ...checkCount(entries, 'alert_clearing_finished', { alerts: clearedAlerts, ...results }),
  ];
}

function hasActed({ status }: ReceivedRequest): boolean {
  return status !== 503;
}

type Entry = { event: string; facts: z.infer<typeof facts> };

function checkItem({
  id,
  result,
  isNoteMissing,
  alert,
  acted,
  own,
}: {
  id: string;
  result: string | null;
  isNoteMissing: boolean;
  alert: { status?: string; notes?: string } | undefined;
  acted: number;
  own: Entry[];
}): string[] {
  const index = ids.indexOf(id);
  const isCleared = alert?.status === 'cleared';
  const done = own.filter(
    ({ event, facts: { outcome } }) => event === 'alert_cleared' && outcome === 'done',
  ).length;
  const before = index % noted === 0 ? [noteBefore] : [];
  const hasNote = !isElsewhere(index) && isCleared && !isNoteMissing;
  const notes = [...before, ...(hasNote ? [note] : [])].join('\n');
  const expected: Record<string, boolean> = {
    cleared: isCleared && acted === 1 && done === 1,
    already_cleared: isElsewhere(index) && acted === 0 && done === 0,
    not_cleared: !isCleared && acted === 0 && done === 0,
    unknown_outcome: acted <= 1 && done === 0,
  };
  return [
    ...(expected[result ?? '']
      ? []
      : [`it is ${alert?.status}, after ${acted} changes and ${done} entries`]),
    ...(alert?.notes === notes ? [] : [`its note is ${JSON.stringify(alert?.notes)}`]),
    ...(acted === 0 || own.some(({ event }) => event === 'started')
      ? []
      : ['it was changed without an entry before']),
  ];
}

/** One message, whose numbers are those of the results, and add up. */
function checkProgress(setup: DeskSetup, results: Record<string, number>): string[] {
  const shown = readMessages(setup.testBed).filter(
    ({ channelId, text }) =>
      channelId === clearingChannel.channelId && /Clear(?:ed|ing) .*alerts/.test(text),
  );
  const { cleared = 0 } = results;
  const title =
    cleared === clearedAlerts
      ? `Cleared ${clearedAlerts} alerts`
      : `Cleared ${cleared} of ${clearedAlerts} alerts`;
  const last = shown.filter(({ text }) => text.includes(title));
  const [, line = ''] = last[0]?.text.split('\n') ?? [];
  const numbers = [...line.matchAll(/(\d+) ([a-z ]+?)(?= ·|$)/g)].map(
    ([, count, name = '']) => [name.replaceAll(' ', '_'), Number(count)] as const,
  );
  const sum = numbers.reduce((total, [, count]) => total + count, 0);
  const isSame = numbers.every(([name, count]) => results[name] === count);
  const others = shown.filter((one) => !last.includes(one) && !isCopy(setup, one));
  return [
    ...(last.length === 1 ? [] : [`${last.length} messages say "${title}"`]),
    ...(others.length > 0 ? [`the progress is in ${others.length} more messages`] : []),
    ...(sum === clearedAlerts && isSame ? [] : [`the message counts ${line}`]),
  ];
}

/** There is one such entry, with these facts. */
function checkCount(entries: Entry[], event: string, expected: Record<string, number>): string[] {
  const found = entries.filter((one) => one.event === event);
  if (found.length !== 1) return [`${found.length} entries ${event}`];
  const wrong = Object.entries(expected).filter(([name, count]) => found[0]?.facts[name] !== count);
  return wrong.map(([name, count]) => `${event} does not say ${name}: ${count}`);
}
