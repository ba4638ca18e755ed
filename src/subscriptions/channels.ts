import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { OutboxHandlers } from '../postings/outbox/handlers.ts';
import type { Kind, SubscriptionTable } from './define-subscription.ts';
import type { Subscription } from './subscription.ts';

/** The kinds that people know by one word, and that share the limit of a channel. */
export type Family = {
  noun: string;
  plural: string;
  /** Lists those of a channel, and resumes them. */
  command: string;
  kinds: Pick<
    Kind<SubscriptionTable, Subscription>,
    'table' | 'isActive' | 'dueColumn' | 'pause' | 'end'
  >[];
};

/** `open-stores.ts` registers them with the outbox. */
export function createOutboxHandlers({ noun, plural, command, kinds }: Family): OutboxHandlers {
  return {
    async onChannelUnreachable(trx, channel, unreachable) {
      const owners: string[] = [];
      for (const kind of kinds) {
        const paused = await kind.pause(trx, channel, unreachable);
        owners.push(...paused.map(({ created_by }) => created_by));
      }
      return { noun, plural, command, owners };
    },
  };
}

/** Those of a channel that run, or that are paused for the same reason. */
type SubscribedChannel = {
  channelId: string;
  count: number;
  pausedReason: string | undefined;
  /** When the next one runs; undefined for kinds without a schedule. */
  dueAt: Date | undefined;
  /** Who added one of them; in a direct message, all of them. */
  owner: string;
};

/** The channels that have some, those with most of them first. */
export async function listSubscribedChannels(
  db: Database,
  { kinds }: Family,
  teamId: string,
): Promise<SubscribedChannel[]> {
  const each = kinds.map(
    ({ table, isActive, dueColumn }) => sql`
      select channel_id, paused_reason, created_by,
        ${dueColumn ? sql.ref(dueColumn) : sql`null::timestamptz`} as due_at
      from ${sql.table(table)} where team_id = ${teamId} and ${isActive}`,
  );
  const { rows } = await sql<{
    channel_id: string;
    count: number;
    paused_reason: string | null;
    due_at: Date | null;
    owner: string;
  }>`
    select channel_id, count(*)::integer as count, paused_reason, min(due_at) as due_at,
      min(created_by) as owner
    from (${sql.join(each, sql` union all `)}) as subscription
    group by channel_id, paused_reason order by count desc`.execute(db);
  return rows.map((row) => ({
    channelId: row.channel_id,
    count: row.count,
    pausedReason: row.paused_reason ?? undefined,
    dueAt: row.due_at ?? undefined,
    owner: row.owner,
  }));
}
