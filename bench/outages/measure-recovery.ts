import { waitFor } from '../replicas/wait-for.ts';
import type { OutagesSetup } from './open-outages.ts';
import type { SentCommand } from './send-commands.ts';

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
  { db, testBed: { slack } }: OutagesSetup,
  { name, beganAt }: Pick<Recovery, 'name' | 'beganAt'>,
  commands: SentCommand[],
): Promise<Recovery> {
  const endedAt = Date.now();
  const recoveredMs: Recovery['recoveredMs'] = {};
  const callsBefore = slack.calls.length;

  const isRecovered = async () => {
    const elapsed = Date.now() - endedAt;
    const command = commands.find(
      ({ sentAt, result }) => sentAt >= endedAt && result === 'answered',
    );
    if (command) recoveredMs.commands ??= command.endedAt - endedAt;
    if (recoveredMs.requests === undefined) {
      const row = await db
        .selectFrom('approval')
        .select('id')
        .where('requested_at', '>=', new Date(endedAt))
        .where('state', 'in', ['succeeded', 'scheduled'])
        .executeTakeFirst();
      if (row) recoveredMs.requests = elapsed;
    }
    if (recoveredMs.alerts === undefined && slack.calls.slice(callsBefore).some(isAlert)) {
      recoveredMs.alerts = elapsed;
    }
    return Object.keys(recoveredMs).length === 3;
  };
  await waitFor(isRecovered, { forMs: 2 * limitMs, everyMs: 200 });
  return { name, beganAt, endedAt, recoveredMs };
}

function isAlert({
  method,
  arguments: given,
  result,
}: OutagesSetup['testBed']['slack']['calls'][number]) {
  return result.ok && method.startsWith('chat.') && given.channel === watchedChannelId;
}

/** What did not work again in time, one line each. */
export function unrecovered({ name, recoveredMs }: Recovery): string[] {
  const { commands, requests, alerts } = recoveredMs;
  const lateness = (kind: string, took: number | undefined, limit: number) =>
    took !== undefined && took <= limit
      ? []
      : [`after ${name}: ${kind} worked again after ${took ?? 'more than 60,000'} ms`];
  return [
    ...lateness('commands', commands, limitMs),
    ...lateness('requests', requests, limitMs),
    ...lateness('alerts', alerts, limitMs + pollMs),
  ];
}
