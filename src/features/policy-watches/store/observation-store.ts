import { type RawBuilder, type SqlBool, sql, type Transaction, type UpdateObject } from 'kysely';
import { batchesOf } from '../../../database/batches.ts';
import { isHeldBy, type Lease, leaseRows, released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import type { Outgoing } from '../../../postings/outbox/message.ts';
import {
  type ChangingRequest,
  findChangingRequests,
} from '../../../requests/store/find-changing-requests.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import { storedDefinitionSchema } from '../../policies/index.ts';
import { isWatchingPolicies, lockPolicyWatchers } from '../../watches/index.ts';
import type { Findings, ListedPolicy, ObservedPolicy } from '../find-changes.ts';
import { changingActions, storeChanges } from './all-changes.ts';

/** One reading of a connection's policies, by the process that holds its lease. */
export type Observation = {
  teamId: string;
  connectionId: string;
  holder: string;
  /** Undefined for the first one, which finds no changes. */
  observedAt: Date | undefined;
};

/** In one call: the rest follow in the next one. */
const maxForgotten = 200;

export type ObservationStore = ReturnType<typeof createObservationStore>;

/**
 * `isReported`: whether the changes on a connection are reported elsewhere than in channels that watch,
 * in a query that selects from `connection`.
 */
export function createObservationStore(
  db: Database,
  {
    enqueueMessages,
    isReported,
    isServed,
  }: { enqueueMessages: EnqueueNamed; isReported: RawBuilder<SqlBool>; isServed: ServedTeams },
) {
  const isWatched = sql`connection.replaced_at is null and (${isWatchingPolicies} or ${isReported})`;

  return {
    /**
     * Adds connections that are watched now, and forgets those that no longer are: changes made while
     * nobody watched are not reported later. None is due later than `intervalMs` from now, so that a
     * shorter interval applies at once.
     */
    async prepare({ at, intervalMs }: { at: Date; intervalMs: number }): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { rows: unwatched } = await sql<{ teamId: string; connectionId: string }>`
          delete from policy_observation where connection_id = any (array(
            select connection_id from policy_observation
            where ${isServed('policy_observation.team_id')}
              and not exists (select 1 from connection
                where connection.id = policy_observation.connection_id and ${isWatched})
            limit ${maxForgotten}))
          returning team_id as "teamId", connection_id as "connectionId"`.execute(trx);
        // Not in the same statement: PostgreSQL would overestimate the rows and scan all policies.
        for (const connection of unwatched) await forgetObserved(trx, connection);
      });
      await sql`
        insert into policy_observation (connection_id, team_id, next_at)
        select connection.id, connection.team_id, ${at}::timestamptz from connection
        where ${isServed('connection.team_id')} and ${isWatched}
        on conflict do nothing`.execute(db);
      const latest = new Date(at.getTime() + intervalMs);
      await db
        .updateTable('policy_observation')
        .set({ next_at: latest })
        .where('next_at', '>', latest)
        .where(isServed('policy_observation.team_id'))
        .execute();
    },

    /** Takes the connections that have been due longest and that no other process reads. */
    async leaseDue(lease: Lease, limit: number): Promise<Observation[]> {
      const rows = await leaseRows(db, lease, {
        table: 'policy_observation',
        key: ['connection_id'],
        orderBy: ['next_at'],
        limit,
        isServed,
        isDue: sql`next_at <= ${lease.at}`,
      });
      return rows.map(({ team_id, connection_id, observed_at }) => ({
        teamId: team_id,
        connectionId: connection_id,
        holder: lease.holder,
        observedAt: observed_at ?? undefined,
      }));
    },

    /** Ends the lease without a reading. */
    async release(observation: Observation, nextAt: Date): Promise<void> {
      await changeLease(db, observation, { next_at: nextAt });
    },

    /** Ends the lease of a reading that failed; `reason` is mrkdwn. */
    async fail(
      observation: Observation,
      { reason, at, nextAt }: { reason: string; at: Date; nextAt: Date },
    ): Promise<void> {
      const failure = { failure: reason, failing_since: sql<Date>`coalesce(failing_since, ${at})` };
      await changeLease(db, observation, { next_at: nextAt, ...failure });
    },

    /** Ends the lease of a reading in which the service offered no list. */
    async recordUnlisted(
      observation: Observation,
      { at, nextAt }: { at: Date; nextAt: Date },
    ): Promise<void> {
      const since = sql<Date>`coalesce(unlisted_since, ${at})`;
      await changeLease(db, observation, {
        next_at: nextAt,
        unlisted_since: since,
        ...withoutFailure,
      });
    },

    /**
     * Stores what `find` finds and queues its messages for every channel, in one transaction: each
     * change is reported once. Does nothing if another process has taken the lease over.
     */
    record: (
      observation: Observation,
      read: { startedAt: Date; at: Date; nextAt: Date },
      find: (known: {
        observed: Map<string, ObservedPolicy>;
        requests: ChangingRequest[];
      }) => Findings & { outgoing: Outgoing[] },
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const { teamId, connectionId, observedAt } = observation;
        const isHeld = await changeLease(trx, observation, {
          next_at: read.nextAt,
          observed_since: sql<Date>`coalesce(observed_since, ${read.startedAt})`,
          observed_at: read.startedAt,
          unlisted_since: null,
          ...withoutFailure,
        });
        if (!isHeld) return;
        // A reading that ended while the connection was forgotten can have left some.
        if (!observedAt) await forgetObserved(trx, observation);
        const since = observedAt ?? read.startedAt;
        const found = find({
          observed: await readObserved(trx, observation),
          requests: await findChangingRequests(trx, {
            teamId,
            connectionId,
            since,
            actions: changingActions,
          }),
        });
        await storeObserved(trx, observation, found, read.startedAt);
        await storeChanges(trx, observation, found.changes, read.at);
        if (found.outgoing.length === 0) return;
        const { origin_id: originId } = await trx
          .selectFrom('connection')
          .select('origin_id')
          .where('team_id', '=', teamId)
          .where('id', '=', connectionId)
          .executeTakeFirstOrThrow();
        for (const to of await lockPolicyWatchers(trx, { teamId, originId })) {
          await enqueueMessages(trx, to, found.outgoing, read.at);
        }
      }),
  };
}

const withoutFailure = { failing_since: null, failure: null };

async function changeLease(
  db: Database | Transaction<Tables>,
  { teamId, connectionId, holder }: Observation,
  change: UpdateObject<Tables, 'policy_observation'>,
): Promise<boolean> {
  const row = await db
    .updateTable('policy_observation')
    .set({ ...change, ...released })
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .where(isHeldBy(holder))
    .returning('connection_id')
    .executeTakeFirst();
  return row !== undefined;
}

export const purgeObservations = purgeTables(
  'policy_change',
  'observed_policy',
  'policy_observation',
);

type Connection = { teamId: string; connectionId: string };

/** The policies of a connection as they were last seen, by id. */
export async function readObserved(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Connection,
): Promise<Map<string, ObservedPolicy>> {
  const rows = await trx
    .selectFrom('observed_policy')
    .select(['policy_id', 'definition', 'missing_since'])
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .execute();
  const observed = rows.map(({ policy_id: id, definition, missing_since }): ObservedPolicy => {
    const parsed = storedDefinitionSchema.parse(definition);
    return { id, definition: parsed, isMissing: missing_since !== null };
  });
  return new Map(observed.map((one) => [one.id, one]));
}

export async function forgetObserved(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Connection,
): Promise<void> {
  await trx
    .deleteFrom('observed_policy')
    .where('team_id', '=', teamId)
    .where('connection_id', '=', connectionId)
    .execute();
}

export async function storeObserved(
  trx: Transaction<Tables>,
  connection: Connection,
  { seen, missing, deleted }: Pick<Findings, 'seen' | 'missing' | 'deleted'>,
  at: Date,
): Promise<void> {
  await storeSeen(trx, connection, seen);
  const { teamId, connectionId } = connection;
  if (missing.length > 0) {
    await trx
      .updateTable('observed_policy')
      .set({ missing_since: at })
      .where('team_id', '=', teamId)
      .where('connection_id', '=', connectionId)
      .where(sql<boolean>`policy_id = any(${missing}::text[])`)
      .execute();
  }
  if (deleted.length > 0) {
    await trx
      .deleteFrom('observed_policy')
      .where('team_id', '=', teamId)
      .where('connection_id', '=', connectionId)
      .where(sql<boolean>`policy_id = any(${deleted}::text[])`)
      .execute();
  }
}

async function storeSeen(
  trx: Transaction<Tables>,
  { teamId, connectionId }: Connection,
  seen: ListedPolicy[],
): Promise<void> {
  for (const batch of batchesOf(seen)) {
    const rows = batch.map(({ id, definition }) => ({
      team_id: teamId,
      connection_id: connectionId,
      policy_id: id,
      definition: JSON.stringify(definition),
    }));
    await trx
      .insertInto('observed_policy')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['connection_id', 'policy_id'])
          .doUpdateSet((eb) => ({
            definition: eb.ref('excluded.definition'),
            missing_since: null,
          }))
          .where('observed_policy.team_id', '=', teamId),
      )
      .execute();
  }
}
