import { sql, type Transaction } from 'kysely';
import { isHeldBy, leaseRows, released } from '../../../database/leases.ts';
import type { Database } from '../../../database/open-database.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Tables } from '../../../database/tables.ts';
import type { EnqueueMessages, OutboxHandlers, Outgoing } from '../../../outbox/index.ts';
import { findPolicyRequests } from '../../approvals/index.ts';
import { storedDefinitionSchema } from '../../policies/index.ts';
import type { Findings, ListedPolicy, ObservedPolicy } from '../find-changes.ts';

type Channel = { teamId: string; channelId: string };

/** One reading of a connection's policies, by the process that holds its lease. */
export type Observation = {
  teamId: string;
  connectionId: string;
  holder: string;
  /** Undefined for the first one, which posts nothing. */
  observedAt: Date | undefined;
};

export type PolicyWatchStore = ReturnType<typeof createPolicyWatchStore>;

export function createPolicyWatchStore(
  db: Database,
  { enqueueMessages, isServed }: { enqueueMessages: EnqueueMessages; isServed: ServedTeams },
) {
  return {
    /** Adds or resumes the channel's watch. If no other channel watches, the next reading is the first. */
    start: ({ teamId, channelId }: Channel, { by, at }: { by: string; at: Date }) =>
      db.transaction().execute(async (trx) => {
        const watched = await activeWatches(trx, teamId);
        if (watched.some(({ channel_id }) => channel_id === channelId)) return 'already-there';
        if (watched.length === 0) await forget(trx, teamId);
        await trx
          .insertInto('policy_watch')
          .values({ team_id: teamId, channel_id: channelId, created_by: by, created_at: at })
          .onConflict((conflict) =>
            conflict.columns(['team_id', 'channel_id']).doUpdateSet({ paused_at: null }),
          )
          .execute();
        return 'started';
      }),

    find: async ({ teamId, channelId }: Channel) => {
      const row = await db
        .selectFrom('policy_watch')
        .select(['created_by', 'paused_at'])
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .executeTakeFirst();
      return row && { createdBy: row.created_by, isPaused: row.paused_at !== null };
    },

    async end({ teamId, channelId }: Channel): Promise<void> {
      await db
        .deleteFrom('policy_watch')
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .execute();
    },

    /** Takes the connection that has been due longest and that no other process reads. */
    async claim(lease: {
      holder: string;
      at: Date;
      until: Date;
    }): Promise<Observation | undefined> {
      await sql`
        insert into policy_observation (connection_id, team_id, next_at)
        select c.id, c.team_id, ${lease.at}::timestamptz from connection c
        where c.replaced_at is null and ${isServed('c.team_id')} and ${hasWatch(sql`c.team_id`)}
        on conflict do nothing`.execute(db);
      const [row] = await leaseRows(db, lease, {
        ...{ table: 'policy_observation', key: ['connection_id'], orderBy: ['next_at'], limit: 1 },
        isServed,
        isDue: sql`next_at <= ${lease.at} and ${hasWatch(sql`policy_observation.team_id`)}
          and exists (select 1 from connection c
            where c.id = policy_observation.connection_id and c.replaced_at is null)`,
      });
      if (!row) return undefined;
      const { team_id: teamId, connection_id: connectionId, observed_at } = row;
      const { holder } = lease;
      return { teamId, connectionId, holder, observedAt: observed_at ?? undefined };
    },

    /** Ends the lease without a reading. */
    async release(observation: Observation, nextAt: Date): Promise<void> {
      await changeLease(db, observation, { next_at: nextAt });
    },

    /**
     * Stores what `find` finds and queues its messages for every channel, in one transaction: each
     * change is posted once. Does nothing if another process has taken the lease over.
     */
    record: (
      observation: Observation,
      read: { startedAt: Date; at: Date; nextAt: Date },
      find: (known: {
        observed: Map<string, ObservedPolicy>;
        requests: Awaited<ReturnType<typeof findPolicyRequests>>;
      }) => Omit<Findings, 'changes'> & { outgoing: Outgoing[] },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { teamId, connectionId, observedAt } = observation;
        const times = { next_at: read.nextAt, observed_at: read.startedAt };
        if (!(await changeLease(trx, observation, times))) return;
        const since = observedAt ?? read.startedAt;
        const found = find({
          observed: await readObserved(trx, connectionId),
          requests: await findPolicyRequests(trx, { teamId, connectionId, since }),
        });
        await storeSeen(trx, observation, found.seen);
        await markMissing(trx, connectionId, found.missing, read.startedAt);
        await remove(trx, connectionId, found.deleted);
        if (found.outgoing.length === 0) return;
        for (const { channel_id: channelId, created_by } of await activeWatches(trx, teamId)) {
          const to = { teamId, channelId, ownerSlackUserId: created_by };
          await enqueueMessages(trx, to, found.outgoing, read.at);
        }
      }),
  };
}

/** An observation is due only while a channel of its team watches. */
function hasWatch(teamId: ReturnType<typeof sql>) {
  return sql`exists (select 1 from policy_watch w
    where w.team_id = ${teamId} and w.paused_at is null)`;
}

function activeWatches(trx: Transaction<Tables>, teamId: string) {
  return trx
    .selectFrom('policy_watch')
    .select(['channel_id', 'created_by'])
    .where('team_id', '=', teamId)
    .where('paused_at', 'is', null)
    .orderBy('channel_id')
    .forUpdate()
    .execute();
}

/** Changes made while nobody watched are not posted later. */
async function forget(trx: Transaction<Tables>, teamId: string): Promise<void> {
  await trx.deleteFrom('observed_policy').where('team_id', '=', teamId).execute();
  await trx.deleteFrom('policy_observation').where('team_id', '=', teamId).execute();
}

async function changeLease(
  db: Database | Transaction<Tables>,
  { connectionId, holder }: Observation,
  change: { next_at: Date; observed_at?: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('policy_observation')
    .set({ ...change, ...released })
    .where('connection_id', '=', connectionId)
    .where(isHeldBy(holder))
    .returning('connection_id')
    .executeTakeFirst();
  return row !== undefined;
}

async function readObserved(trx: Transaction<Tables>, connectionId: string) {
  const rows = await trx
    .selectFrom('observed_policy')
    .select(['policy_id', 'definition', 'missing_since'])
    .where('connection_id', '=', connectionId)
    .execute();
  const observed = rows.map(({ policy_id: id, definition, missing_since }): ObservedPolicy => {
    const parsed = storedDefinitionSchema.parse(definition);
    return { id, definition: parsed, isMissing: missing_since !== null };
  });
  return new Map(observed.map((one) => [one.id, one]));
}

/** A PostgreSQL statement takes at most 65,535 parameters. */
const batchSize = 1000;

async function storeSeen(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Observation,
  seen: ListedPolicy[],
): Promise<void> {
  for (let at = 0; at < seen.length; at += batchSize) {
    const rows = seen.slice(at, at + batchSize).map(({ id, definition }) => ({
      ...{ team_id: teamId, connection_id: connectionId, policy_id: id },
      definition: JSON.stringify(definition),
    }));
    await trx
      .insertInto('observed_policy')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'policy_id']).doUpdateSet((eb) => ({
          ...{ definition: eb.ref('excluded.definition'), missing_since: null },
        })),
      )
      .execute();
  }
}

async function markMissing(
  trx: Transaction<Tables>,
  connectionId: string,
  ids: string[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('observed_policy')
    .set({ missing_since: at })
    .where('connection_id', '=', connectionId)
    .where(sql<boolean>`policy_id = any(${ids}::text[])`)
    .execute();
}

async function remove(trx: Transaction<Tables>, connectionId: string, ids: string[]) {
  if (ids.length === 0) return;
  await trx
    .deleteFrom('observed_policy')
    .where('connection_id', '=', connectionId)
    .where(sql<boolean>`policy_id = any(${ids}::text[])`)
    .execute();
}

export const policyWatchOutboxHandlers: OutboxHandlers = {
  async onChannelUnreachable(trx, { teamId, channelId }, { at }) {
    const rows = await trx
      .updateTable('policy_watch')
      .set({ paused_at: at })
      .where('team_id', '=', teamId)
      .where('channel_id', '=', channelId)
      .where('paused_at', 'is', null)
      .returning('created_by')
      .execute();
    const owners = rows.map(({ created_by }) => created_by);
    const nouns = { noun: 'watch for policy changes', plural: 'watches for policy changes' };
    return { ...nouns, command: '/belay watch policies', owners };
  },
};
