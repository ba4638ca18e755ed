import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { clearForm, snoozeForm } from '../../src/features/alerts/views/change-modals.ts';
import { acknowledgeActionId } from '../../src/features/alerts/views/ids.ts';
import { approvers, requesters } from '../replicas/people.ts';
import { press, submit } from '../replicas/send-interactions.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { RaceSetup } from './open-race.ts';
import { type Posted, readMessages } from './read-messages.ts';

const snoozes = ['2h', '3h', 'tomorrow'];
const settleMs = 60_000;
/** Longer than what is still under way takes to show. */
const quietMs = 3000;

const isCleared = (index: number) => index % 3 === 0;

/**
 * Three people snooze an alert until different times, and another acknowledges it, at the same moment; every
 * third alert is also cleared. Afterward every copy shows what is stored, which is what was logged last.
 */
export async function raceSnoozes(setup: RaceSetup, alerts: Posted[]) {
  const sent = await Promise.all(alerts.flatMap((alert, index) => act(setup, alert, index)));
  let violations: string[] = [];
  const check = async () => {
    violations = await checkAll(setup, alerts);
    return violations.length === 0;
  };
  await waitFor(check, { forMs: settleMs, everyMs: 500 });
  await wait(quietMs);
  await check();
  const cleared = alerts.filter((_, index) => isCleared(index)).length;
  return { figures: { alerts: alerts.length, cleared, interactions: sent.length }, violations };
}

/** All at the same moment, on different replicas. */
function act(
  { testBed, replicas }: RaceSetup,
  { alertId, copies }: Posted,
  index: number,
): Promise<unknown>[] {
  const to = (rival: number) => replicas[(index + rival) % replicas.length] ?? { requestUrl: '' };
  const by = (ids: string[], rival: number) => ids[(index + rival) % ids.length] ?? '';
  const submitAs = (
    slackUserId: string,
    callbackId: string,
    { texts, rival }: { texts: Record<string, string>; rival: number },
  ) => {
    const metadata = { alertId, timeZone: 'Europe/Lisbon' };
    return submit(testBed, to(rival).requestUrl, { slackUserId, callbackId, metadata, texts });
  };
  const [copy] = copies;
  const block = copy?.blocks?.find(({ type }) => type === 'actions');
  if (!copy || !block) throw new Error('an alert has no button');
  const post = { ...copy, blockId: block.block_id ?? '', isDirect: false };
  return [
    ...snoozes.map((until, rival) =>
      submitAs(by(requesters, rival), snoozeForm.id, { texts: { until }, rival }),
    ),
    press(testBed, people.ana, post, acknowledgeActionId, to(3)),
    ...(isCleared(index)
      ? [submitAs(by(approvers, 0), clearForm.id, { texts: {}, rival: 1 })]
      : []),
  ];
}

type State = {
  alert_id: string;
  owner: string | null;
  snoozed_until: Date | null;
  snoozed_by: string | null;
};
const logged = z.object({ until: z.coerce.date().optional(), outcome: z.string().optional() });
type Entry = { event: string; actor: string | null; facts: z.infer<typeof logged> };

async function checkAll(setup: RaceSetup, alerts: Posted[]): Promise<string[]> {
  const { db } = setup;
  const states = await db
    .selectFrom('alert_state')
    .select(['alert_id', 'owner', 'snoozed_until', 'snoozed_by'])
    .execute();
  const rows = await db
    .selectFrom('audit_log')
    .select(['event', 'actor', 'subject_id', 'facts'])
    .orderBy('seq')
    .execute();
  const byAlert = Map.groupBy(rows, ({ subject_id: subject }) => subject);
  const texts = new Map(readMessages(setup).map((one) => [one.messageTs, one.text]));
  return alerts.flatMap(({ alertId, copies }, index) => {
    const state = states.find((one) => one.alert_id === alertId);
    const entries = (byAlert.get(alertId) ?? []).map((row) => ({
      ...row,
      facts: logged.parse(row.facts),
    }));
    const problems = isCleared(index)
      ? checkCleared(state, entries)
      : checkActive(state, entries, snoozes.length);
    const shown = copies.flatMap((copy) => checkCopy(texts.get(copy.messageTs), state, index));
    return [...problems, ...shown].map((problem) => `${alertId}: ${problem}`);
  });
}

function checkCleared(state: State | undefined, entries: Entry[]): string[] {
  const cleared = entries.filter(
    ({ event, facts: { outcome } }) => event === 'alert_cleared' && outcome === 'done',
  ).length;
  return [
    ...(cleared === 1 ? [] : [`has ${cleared} entries that it was cleared`]),
    ...(state ? ['has an owner or a snooze, but was cleared'] : []),
  ];
}

/** Everybody's change is logged, and the last one is stored. */
function checkActive(state: State | undefined, entries: Entry[], count: number): string[] {
  const snoozed = entries.filter(({ event }) => event === 'alert_snoozed');
  const owned = entries.filter(({ event }) => event === 'alert_acknowledged');
  const last = snoozed.at(-1);
  const isLast =
    state?.snoozed_by === last?.actor &&
    state?.snoozed_until?.getTime() === last?.facts.until?.getTime();
  return [
    ...(snoozed.length === count ? [] : [`has ${snoozed.length} entries of a snooze`]),
    ...(owned.length === 1 && owned[0]?.actor === state?.owner
      ? []
      : [`has ${owned.length} entries of an owner, who is ${state?.owner}`]),
    ...(isLast ? [] : ['its snooze is not the last one that was logged']),
  ];
}

function checkCopy(text: Message['text'] = '', state: State | undefined, index: number): string[] {
  const owner = /Owner: <@(\w+)>/.exec(text)?.[1];
  const [, until, by] = /Snoozed until <!date\^(\d+)\^.*?> by <@(\w+)>/.exec(text) ?? [];
  const stored = state?.snoozed_until;
  const isSame =
    owner === (state?.owner ?? undefined) &&
    by === (state?.snoozed_by ?? undefined) &&
    until === (stored ? String(Math.floor(stored.getTime() / 1000)) : undefined) &&
    text.includes('Cleared') === isCleared(index);
  return isSame ? [] : [`a copy shows ${JSON.stringify(text)}, stored is ${JSON.stringify(state)}`];
}
