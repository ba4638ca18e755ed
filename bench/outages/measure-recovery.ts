import { setTimeout as wait } from 'node:timers/promises';
import { type Aim, atMost } from '../aims.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { OutagesSetup } from './open-outages.ts';
import { sendProbe } from './send-commands.ts';

/** When an outage began and ended, and how long after its end each kind of work succeeded again. */
export type Recovery = {
  name: string;
  beganAt: number;
  endedAt: number;
  recoveredMs: { commands?: number; requests?: number; alerts?: number };
};

const limitMs = 30_000;
/** Watches ask the service for new alerts this often. */
const pollMs = 15_000;
const watchedChannelId = 'C0RANDOM03';

/**
 * Waits for the first command, the first request and the first message of a watch that begin after
 * the outage and succeed.
 */
export async function measureRecovery(
  setup: OutagesSetup,
  { name, beganAt }: Pick<Recovery, 'name' | 'beganAt'>,
): Promise<Recovery> {
  const { db, testBed } = setup;
  const { slack } = testBed;
  const endedAt = Date.now();
  const recoveredMs: Recovery['recoveredMs'] = {};
  const callsBefore = slack.calls.length;

  const isRecovered = async () => {
    const elapsed = Date.now() - endedAt;
    if (recoveredMs.requests === undefined) {
      const row = await db
        .selectFrom('approval')
        .select('id')
        .where('requested_at', '>=', new Date(endedAt))
        .where('state', 'in', ['completed', 'scheduled'])
        .executeTakeFirst()
        // Right after an outage the database may have no connection left for this program.
        .catch(() => undefined);
      if (row) recoveredMs.requests = elapsed;
    }
    if (recoveredMs.alerts === undefined && slack.calls.slice(callsBefore).some(isAlert)) {
      recoveredMs.alerts = elapsed;
    }
    return Object.keys(recoveredMs).length === 3;
  };
  const probing = probe(setup, (ms) => {
    recoveredMs.commands = ms;
  });
  await waitFor(isRecovered, { forMs: 2 * limitMs, everyMs: 200 });
  await probing;
  return { name, beganAt, endedAt, recoveredMs };
}

/** Repeats a command until it is answered as usual. */
async function probe(setup: OutagesSetup, onAnswer: (ms: number) => void): Promise<void> {
  const begun = Date.now();
  while (Date.now() - begun < 2 * limitMs) {
    const { result } = await sendProbe(setup);
    if (result === 'answered') return onAnswer(Date.now() - begun);
    await wait(1000);
  }
}

function isAlert({
  method,
  arguments: given,
  result,
}: OutagesSetup['testBed']['slack']['calls'][number]) {
  return result.ok && method.startsWith('chat.') && given.channel === watchedChannelId;
}

/** When each kind of work is to succeed again. */
export function recoveryAims({ name, recoveredMs }: Recovery): Aim[] {
  const { commands, requests, alerts } = recoveredMs;
  const again = (kind: string, took = Number.NaN, limit: number) =>
    atMost(`${kind} after ${name}`, took, limit, 'ms');
  return [
    again('Commands', commands, limitMs),
    again('Requests', requests, limitMs),
    again('Alerts', alerts, limitMs + pollMs),
  ];
}
