import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import type { EnqueueNamed, NamedDestination } from '../workspace/enqueue-named.ts';
import type { Family } from './channels.ts';
import type { Filter, Kind, Row, SubscriptionTable } from './define-subscription.ts';
import { lockConnection } from './lock-connection.ts';
import type {
  Change,
  ChangedBy,
  Channel,
  NewSubscription,
  Ref,
  Subscription,
} from './subscription.ts';

/** Where the messages of a subscription go. */
export function destinationOf({
  teamId,
  originId,
  channelId,
  createdBy,
}: Pick<Subscription, 'teamId' | 'originId' | 'channelId' | 'createdBy'>): NamedDestination {
  return { teamId, originId, channelId, ownerSlackUserId: createdBy };
}

export type Created<Item> =
  | { result: 'created'; item: Item }
  /** The channel has the same one, which is locked. */
  | { result: 'exists'; item: Item }
  | { result: 'too-many' };

/**
 * Subscriptions of one kind as people set them up. Those that have ended are not found. Changes enqueue
 * their notice to the channel in the same transaction. Locks are taken in this order, or two
 * transactions could deadlock: the connection, the channel, its subscriptions, what they have stored, the
 * outbox.
 */
export function createSubscriptionStore<T extends SubscriptionTable, Item extends Subscription>(
  db: Database,
  kind: Kind<T, Item>,
  { family, enqueueMessages }: { family: Family; enqueueMessages: EnqueueNamed },
) {
  async function announce(
    trx: Transaction<Tables>,
    item: Item,
    change: Change,
    of: ChangedBy & { before?: Item },
  ): Promise<void> {
    const notice = kind.notice(item, change, of);
    if (notice) await enqueueMessages(trx, destinationOf(item), [notice], of.at);
  }

  return {
    announce,

    /**
     * Creates one with `insert`, which returns undefined if a unique index has an equal one. `same`
     * finds the same one among those of the channel; `max` is how many a channel may have of the family;
     * `lockNext` takes locks that come right after the connection's.
     *
     * @throws {ExplainedError} if the connection was removed
     */
    async create(
      trx: Transaction<Tables>,
      { teamId, originId, channelId, createdBy: by, at }: NewSubscription,
      {
        same,
        max,
        lockNext,
      }: { same: Omit<Filter, keyof Ref>; max: number; lockNext?: () => Promise<void> },
      insert: () => Promise<Item | undefined>,
    ): Promise<Created<Item>> {
      const channel = { teamId, channelId };
      await lockConnection(trx, { teamId, originId });
      await lockNext?.();
      await lockChannel(trx, family, channel);
      const findSame = () => kind.findLocked(trx, { ...channel, ...same });
      const before = await findSame();
      if (before) return { result: 'exists', item: before };
      if ((await countInChannel(trx, family, channel)) >= max) return { result: 'too-many' };
      const item = await insert();
      if (item) {
        await announce(trx, item, 'added', { by, at });
        return { result: 'created', item };
      }
      // Applying a configuration, which doesn't lock the channel, added the same one meanwhile.
      const added = await findSame();
      if (!added) throw new Error('an equal subscription was added and ended meanwhile');
      return { result: 'exists', item: added };
    },

    /** What the stores of all kinds have. */
    shared: {
      /** Oldest first, paused ones included. */
      list: ({ teamId, channelId }: Channel): Promise<Item[]> =>
        kind.list(db, { teamId, channelId }),

      find: (ref: Ref): Promise<Item | undefined> => kind.find(db, ref),

      /** Returns it as it was, to the caller that ended it. */
      end: ({ by, at, ...ref }: Ref & ChangedBy): Promise<Item | undefined> =>
        db.transaction().execute(async (trx) => {
          const [row] = await kind.end(trx, ref, { by, at });
          const item = row && kind.read(row);
          if (item) await announce(trx, item, 'ended', { by, at });
          return item;
        }),

      /** Resumes the paused ones of a channel. Returns how many there were. */
      resume: ({ teamId, channelId }: Channel, at: Date): Promise<number> =>
        db.transaction().execute(async (trx) => {
          const { read, resumed } = kind;
          const changes = resumed && ((row: Row<T>) => resumed(read(row), at));
          return (await kind.resume(trx, { teamId, channelId }, changes)).length;
        }),
    },
  };
}

/**
 * Until the transaction ends, no other one that locks the same family of the channel continues. Take it
 * before counting rows against a limit: otherwise two people at once could each see room for one more.
 */
export async function lockChannel(
  trx: Transaction<Tables>,
  { plural }: Pick<Family, 'plural'>,
  { teamId, channelId }: Channel,
): Promise<void> {
  const name = `${plural}:${teamId}:${channelId}`;
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx);
}

/** How many of all kinds a channel has. */
async function countInChannel(
  trx: Transaction<Tables>,
  { kinds }: Family,
  { teamId, channelId }: Channel,
): Promise<number> {
  const each = kinds.map(
    ({ table, isActive }) => sql`
      select id from ${sql.table(table)}
      where team_id = ${teamId} and channel_id = ${channelId} and ${isActive}`,
  );
  const { rows } = await sql`${sql.join(each, sql` union all `)}`.execute(trx);
  return rows.length;
}
