import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Database } from '../../src/database/tables.ts';
import { findUnfinishedWork } from '../replicas/read-approvals.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { type Account, countAlerts } from '../storm/count-alerts.ts';

type Setup = { testBed: { slack: LocalSlack }; db: Database };

/** Longer than a dead process's leases last, and what failed waits. */
const quietMs = 170_000;
const channel = { name: 'random', id: 'C0RANDOM03' };

/** Posts all new alerts in a channel. */
export async function watchAlerts({ testBed }: Setup): Promise<void> {
  const cleo = actAs(testBed.slack, people.cleo);
  await cleo.send(channel.name, '/belay watch all');
  await cleo.seeMessage('Watch added.');
}

/**
 * Waits until no work is left and the channel accounts for so many alerts, or for a limited time.
 * Resolves to the work that is left and what the channel shows.
 */
export async function waitUntilQuiet(
  { testBed, db }: Setup,
  alerts: number,
): Promise<{ unfinished: string[]; account: Account }> {
  let unfinished: string[] = [];
  let account: Account = countAlerts([]);
  const isDone = async () => {
    unfinished = await findUnfinishedWork(db);
    const { conversations } = testBed.slack.snapshot(people.cleo);
    const watched = conversations.find(({ channelId }) => channelId === channel.id);
    account = countAlerts(watched?.messages.map(({ text }) => text) ?? []);
    return unfinished.length === 0 && account.own.size + account.counted >= alerts;
  };
  await waitFor(isDone, { forMs: quietMs, everyMs: 500 });
  return { unfinished, account };
}
