import { sql } from 'kysely';
import type { Database } from '../../database/open-database.ts';
import type { ClaimedChannel, DeliveryStore } from '../outbox-store.ts';

type ClaimStore = Pick<DeliveryStore, 'claimChannels' | 'rest' | 'postpone' | 'pauseEdits'>;

type Claimed = { team_id: string; channel_id: string; attempts: number; unanswered: number };

/** The part of `DeliveryStore` that is about who is at work in which channel, and when. */
export function createClaimStore(db: Database): ClaimStore {
  return {
    async claimChannels({ holder, at, until, limit }) {
      // `ready_at` moves with each turn, so the one that was served longest ago is next.
      // Those that another deliverer is claiming at this moment are passed over, not waited for.
      const { rows } = await sql<Claimed>`
        update delivery_channel c set lease_holder = ${holder}, lease_until = ${until}
        from (
          select team_id, channel_id from delivery_channel
          where due_at <= ${at} and ready_at <= ${at}
            and (lease_until is null or lease_until <= ${at})
          order by ready_at
          limit ${limit}
          for update skip locked
        ) due
        where c.team_id = due.team_id and c.channel_id = due.channel_id
        returning c.team_id, c.channel_id, c.attempts, c.unanswered
      `.execute(db);
      return rows.map(({ team_id, channel_id, attempts, unanswered }) => ({
        teamId: team_id,
        channelId: channel_id,
        holder,
        heldUntil: until,
        attempts,
        unanswered,
      }));
    },

    async rest(channel, { dueAt, lastPlace }) {
      await updateHeld(db, channel)
        .set((eb) => ({
          ...released,
          due_at: eb
            .case()
            .when('last_position', '=', lastPlace)
            .then(dueAt ?? null)
            .else(eb.ref('due_at'))
            .end(),
        }))
        .execute();
    },

    async postpone(channel, { attempts, unanswered, readyAt }) {
      await updateHeld(db, channel)
        .set({
          ...released,
          attempts,
          ready_at: readyAt,
          ...(unanswered !== undefined && { unanswered }),
        })
        .execute();
    },

    async pauseEdits(teamId, until) {
      // Locked in one order, so that two who pause never wait for each other.
      await sql`
        update delivery_channel c set edits_ready_at = greatest(c.edits_ready_at, ${until})
        from (
          select team_id, channel_id from delivery_channel
          where team_id = ${teamId} order by channel_id for update
        ) locked
        where c.team_id = locked.team_id and c.channel_id = locked.channel_id
      `.execute(db);
    },
  };
}

export const released = { lease_holder: null, lease_until: null } as const;

/** The channel's row, if it is still held by whoever claimed it. */
export function updateHeld(
  db: Pick<Database, 'updateTable'>,
  { teamId, channelId, holder }: ClaimedChannel,
) {
  return db
    .updateTable('delivery_channel')
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('lease_holder', '=', holder);
}
