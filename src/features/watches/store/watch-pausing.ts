import type { Transaction } from 'kysely';
import { released } from '../../../database/leases.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { OutboxHandlers } from '../../../outbox/index.ts';

/**
 * Pauses the watches of a channel, until somebody lists them there or sets one up. Returns the Slack
 * user id of the creator of each.
 */
export async function pauseWatches(
  trx: Transaction<Tables>,
  { teamId, channelId }: { teamId: string; channelId: string },
  { at, why }: { at: Date; why: string },
): Promise<string[]> {
  const rows = await trx
    .selectFrom('watch')
    .select(['id', 'created_by'])
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('ended_at', 'is', null)
    .where('paused_at', 'is', null)
    // The order in which polls lock the watches of a channel, or two transactions could deadlock.
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.length === 0) return [];
  await trx
    .updateTable('watch')
    .set({ paused_at: at, paused_reason: why })
    .where('team_id', '=', teamId)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows.map(({ created_by }) => created_by);
}

/** The kinds of watches whose rows are deleted when they end. */
type OtherWatches = 'compliance_watch' | 'policy_watch';

async function pauseOthers(
  trx: Transaction<Tables>,
  table: OtherWatches,
  { teamId, channelId }: { teamId: string; channelId: string },
  { at, why }: { at: Date; why: string },
): Promise<string[]> {
  const rows = await trx
    .updateTable(table)
    .set({ paused_at: at, paused_reason: why })
    .$if(table === 'compliance_watch', (update) => update.set(released))
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('paused_at', 'is', null)
    .returning('created_by')
    .execute();
  return rows.map(({ created_by }) => created_by);
}

/** Resumes the paused watches of a channel. Returns how many there were. */
export async function resumeOthers(
  db: Database | Transaction<Tables>,
  table: OtherWatches,
  { teamId, channelId }: { teamId: string; channelId: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ paused_at: null, paused_reason: null })
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const watchOutboxHandlers: OutboxHandlers = {
  async onChannelUnreachable(trx, channel, { at, reason }) {
    const owners = [
      ...(await pauseWatches(trx, channel, { at, why: reason })),
      ...(await pauseOthers(trx, 'compliance_watch', channel, { at, why: reason })),
      ...(await pauseOthers(trx, 'policy_watch', channel, { at, why: reason })),
    ];
    return { noun: 'watch', plural: 'watches', command: '/belay watch', owners };
  },
};
