import { sql } from 'kysely';
import { isUnleased } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';

type OutboxBacklog = {
  waiting: number;
  /** When the message that waits longest was queued. */
  oldestQueuedAt: Date | undefined;
  /** Since when a channel has been due that nobody serves; not one that Slack makes wait. */
  oldestDueAt: Date | undefined;
};

/** What waits to be delivered, in all workspaces that are served. */
export async function readOutboxBacklog(
  db: Database,
  now: Date,
  isServed: ServedTeams,
): Promise<OutboxBacklog> {
  const { waiting, oldest } = await db
    .selectFrom('delivery_message')
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      fn.min<Date | null>('queued_at').as('oldest'),
    ])
    .where('state', '=', 'queued')
    .where(isServed('delivery_message.team_id'))
    .executeTakeFirstOrThrow();
  const due = await db
    .selectFrom('delivery_channel')
    .select(sql<Date | null>`min(greatest(due_at, ready_at))`.as('at'))
    .where('due_at', '<=', now)
    .where('ready_at', '<=', now)
    .where(isUnleased('lease_until', now))
    .where(isServed('delivery_channel.team_id'))
    .executeTakeFirst();
  return { waiting, oldestQueuedAt: oldest ?? undefined, oldestDueAt: due?.at ?? undefined };
}

/** After fewer failures in a row the next try usually succeeds. */
const minFailures = 3;
const maxListed = 10;

/** The workspace's channels in which posting fails again and again, the worst first. */
export async function listFailingChannels(
  db: Database,
  teamId: string,
): Promise<{ channelId: string; attempts: number }[]> {
  const rows = await db
    .selectFrom('delivery_channel')
    .select(['channel_id as channelId', 'attempts'])
    .where('team_id', '=', teamId)
    .where('due_at', 'is not', null)
    .where('attempts', '>=', minFailures)
    .orderBy('attempts', 'desc')
    .limit(maxListed)
    .execute();
  return rows;
}
