import { sql, type Transaction } from 'kysely';
import { released } from '../../../database/leases.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import type { OutboxHandlers } from '../../../outbox/index.ts';
import { nextRun } from '../next-run.ts';
import { toDigest } from './digest-row.ts';

type Channel = { teamId: string; channelId: string };

/**
 * Pauses the channel's digests until somebody lists them there or saves one. A run in progress can't
 * finish. Returns the Slack user id of each digest's creator, once per digest.
 */
export async function pauseDigests(
  trx: Transaction<Tables>,
  channel: Channel,
  { at, why }: { at: Date; why: string },
): Promise<string[]> {
  // Paused ones too: messages dropped later in this transaction may be theirs.
  const rows = await lockDigests(trx, channel);
  const running = rows.filter(({ paused_at }) => paused_at === null);
  if (running.length === 0) return [];
  await trx
    .updateTable('digest')
    .set({ paused_at: at, paused_reason: why, ...released })
    .where('team_id', '=', channel.teamId)
    .where(
      'id',
      'in',
      running.map(({ id }) => id),
    )
    .execute();
  return running.map(({ created_by }) => created_by);
}

/** Lets the next digests cover again what the dropped messages with these subjects reported. */
export async function rewindDropped(
  trx: Transaction<Tables>,
  { teamId, channelId }: Channel,
  subjects: string[],
): Promise<void> {
  if (subjects.length === 0) return;
  await sql`
    update digest d set covered_until = least(d.covered_until, dropped.since)
    from (
      select r.digest_id, min(r.since) as since
      from digest_run r join digest own on own.id = r.digest_id
      where own.team_id = ${teamId} and own.channel_id = ${channelId}
        and r.subject in (select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb))
      group by r.digest_id
    ) dropped
    where d.id = dropped.digest_id
  `.execute(trx);
}

/**
 * Resumes the channel's paused digests at their next time and returns how many there were. Their next
 * runs cover everything since the last digest that was posted.
 */
export function resumeDigests(db: Database, channel: Channel, at: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const rows = await lockDigests(trx, channel);
    const paused = rows.filter(({ paused_at }) => paused_at !== null);
    for (const row of paused) {
      await trx
        .updateTable('digest')
        .set({
          paused_at: null,
          paused_reason: null,
          next_run_at: nextRun(toDigest(row).settings, at),
          postponed_from: null,
          attempts: 0,
        })
        .where('team_id', '=', channel.teamId)
        .where('id', '=', row.id)
        .execute();
    }
    return paused.length;
  });
}

/** Always in the same order, so that two transactions can't deadlock. */
function lockDigests(trx: Transaction<Tables>, { teamId, channelId }: Channel) {
  return trx
    .selectFrom('digest')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Registered with the outbox by `open-stores.ts`. */
export const digestOutboxHandlers: OutboxHandlers = {
  async onChannelUnreachable(trx, channel, { at, reason }) {
    const owners = await pauseDigests(trx, channel, { at, why: reason });
    return { noun: 'digest', plural: 'digests', command: '/belay digest', owners };
  },
  onMessagesDropped: rewindDropped,
};
