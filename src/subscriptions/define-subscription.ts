import {
  type Expression,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import { isOnConnection, type OriginRef } from '../database/connection-origin.ts';
import { released } from '../database/leases.ts';
import { parseEach, parseRow, type UnreadableRowError } from '../database/parse-rows.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { Outgoing } from '../postings/outbox/message.ts';
import type {
  Change,
  ChangedBy,
  Channel,
  NewSubscription,
  Ref,
  SharedRow,
  Subscription,
  SubscriptionColumns,
} from './subscription.ts';

type Trx = Transaction<Tables>;

export type SubscriptionTable = {
  [Table in keyof Tables]: Tables[Table] extends SubscriptionColumns<string | null> ? Table : never;
}[keyof Tables];

export type Row<T extends SubscriptionTable> = Selectable<Tables[T]> & SharedRow;

type Changes<T extends SubscriptionTable> = {
  [Column in keyof Updateable<Tables[T]>]: Updateable<Tables[T]>[Column] | Expression<unknown>;
};

/** What is particular to a kind of subscription. */
type Declaration<T extends SubscriptionTable, Item extends Subscription> = {
  table: T;
  /** The row stays after the end, with `ended_at` and `ended_by`. Without this, it is deleted. */
  keepsEnded?: boolean;
  /** Processes work on a row under a lease, which ends when the subscription is paused. */
  isLeased?: boolean;
  /** The column with the time of its next run, for a kind with a schedule. */
  dueColumn?: string;
  /** JSON columns are parsed with zod. */
  read: (row: Row<T>) => Item;
  /** The message to the channel about a change, before which it was `before`; undefined for none. */
  notice: (item: Item, change: Change, of: ChangedBy & { before?: Item }) => Outgoing | undefined;
  /** What else changes when it is resumed. */
  resumed?: (item: Item, at: Date) => Changes<T>;
  /** Deletes what else is stored of those that have ended, if no cascade does. */
  onEnded?: (trx: Trx, ended: { teamId: string; ids: string[] }) => Promise<void>;
};

/** Which subscriptions of a workspace, among those that have not ended. */
export type Filter = Partial<Ref> & {
  teamId: string;
  on?: OriginRef;
  isPaused?: boolean;
  /** Another condition on the columns of the table. */
  where?: RawBuilder<SqlBool>;
};

export type Kind<T extends SubscriptionTable, Item extends Subscription> = ReturnType<
  typeof defineSubscription<T, Item>
>;

/**
 * The statements that change or read subscriptions of one kind, for the commands and for configuration
 * files. None of them tells the channel.
 */
export function defineSubscription<T extends SubscriptionTable, Item extends Subscription>({
  table,
  keepsEnded,
  isLeased,
  dueColumn,
  read: parse,
  notice,
  resumed,
  onEnded,
}: Declaration<T, Item>) {
  type OwnColumns = Omit<Insertable<Tables[T]>, keyof SubscriptionColumns>;

  /** @throws {UnreadableRowError} */
  function read(row: Row<T>): Item {
    return parseRow({ table, id: row.id, teamId: row.team_id }, () => parse(row));
  }

  const isActive = keepsEnded ? sql<SqlBool>`ended_at is null` : sql<SqlBool>`true`;

  async function run(
    db: Database | Trx,
    { teamId, id, channelId, on, isPaused, where }: Filter,
    order: RawBuilder<unknown>,
  ): Promise<Row<T>[]> {
    const conditions = [
      isActive,
      ...(id === undefined ? [] : [sql`id = ${id}`]),
      ...(channelId === undefined ? [] : [sql`channel_id = ${channelId}`]),
      ...(on === undefined ? [] : [isOnConnection(table, on)]),
      ...(isPaused === undefined
        ? []
        : [sql`paused_at is ${isPaused ? sql`not null` : sql`null`}`]),
      ...(where === undefined ? [] : [where]),
    ];
    const { rows } = await sql<Row<T>>`
      select * from ${sql.table(table)}
      where team_id = ${teamId} and ${sql.join(conditions, sql` and `)}
      order by ${order}`.execute(db);
    return rows;
  }

  /** Oldest first. */
  function select(db: Database | Trx, filter: Filter): Promise<Row<T>[]> {
    return run(db, filter, sql`created_at, id`);
  }

  /**
   * Locked until the transaction ends. Every transaction locks subscriptions in the order of their
   * channels. Otherwise two could deadlock.
   */
  function lock(trx: Trx, filter: Filter): Promise<Row<T>[]> {
    return run(trx, filter, sql`channel_id, id for update`);
  }

  async function update(
    trx: Trx,
    { teamId, ids }: { teamId: string; ids: string[] },
    columns: object,
  ): Promise<Row<T>[]> {
    if (ids.length === 0) return [];
    const set = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    const { rows } = await sql<Row<T>>`
      update ${sql.table(table)} set ${sql.join(set)}
      where team_id = ${teamId} and id = any(${ids}::uuid[]) and ${isActive}
      returning *`.execute(trx);
    return rows;
  }

  /** Those that match, as they were. */
  async function end(trx: Trx, filter: Filter, { by, at }: ChangedBy): Promise<Row<T>[]> {
    const { teamId } = filter;
    const rows = await lock(trx, filter);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    if (keepsEnded) await update(trx, { teamId, ids }, { ended_at: at, ended_by: by });
    else {
      await sql`
        delete from ${sql.table(table)}
        where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(trx);
    }
    await onEnded?.(trx, { teamId, ids });
    return rows;
  }

  return {
    table,
    isActive,
    dueColumn,
    read,
    notice,
    resumed,
    select,
    lock,
    end,

    /** Oldest first, paused ones included. @throws {UnreadableRowError} */
    async list(db: Database | Trx, filter: Filter): Promise<Item[]> {
      return (await select(db, filter)).map(read);
    },

    /** Those of a workspace that can't be read. */
    async listUnreadable(db: Database, teamId: string): Promise<UnreadableRowError[]> {
      return parseEach(await select(db, { teamId }), read).unreadable;
    },

    /** @throws {UnreadableRowError} */
    async find(db: Database | Trx, filter: Filter): Promise<Item | undefined> {
      const [row] = await select(db, filter);
      return row && read(row);
    },

    /** The same, locked until the transaction ends. @throws {UnreadableRowError} */
    async findLocked(trx: Trx, filter: Filter): Promise<Item | undefined> {
      const [row] = await lock(trx, filter);
      return row && read(row);
    },

    /** Undefined if a unique index has an equal one already. */
    async insert(
      trx: Trx,
      { id, teamId, originId, channelId, createdBy, at }: NewSubscription,
      columns: OwnColumns,
    ): Promise<Item | undefined> {
      const own = Object.entries(columns);
      const { rows } = await sql<Row<T>>`
        insert into ${sql.table(table)} (team_id, id, connection_origin_id, channel_id, created_by,
          ${sql.join([sql.ref('created_at'), ...own.map(([name]) => sql.ref(name))])})
        values (${teamId}, ${id}, ${originId ?? null}, ${channelId}, ${createdBy},
          ${sql.join([at, ...own.map(([, value]) => value)])})
        on conflict do nothing returning *`.execute(trx);
      const [row] = rows;
      return row && read(row);
    },

    /** Undefined if it has ended. */
    async change(trx: Trx, { teamId, id }: Ref, columns: Changes<T>): Promise<Item | undefined> {
      const [row] = await update(trx, { teamId, ids: [id] }, columns);
      return row && read(row);
    },

    /**
     * Pauses those of a channel, until somebody lists them there or adds one. Work on them that is in
     * progress can't finish. Returns those that it paused, as they were.
     */
    async pause(
      trx: Trx,
      { teamId, channelId }: Channel,
      { at, reason }: { at: Date; reason: string },
    ): Promise<Row<T>[]> {
      // Paused ones too: messages dropped later in this transaction may be theirs.
      const rows = await lock(trx, { teamId, channelId });
      const running = rows.filter(({ paused_at }) => paused_at === null);
      const ids = running.map(({ id }) => id);
      const paused = { paused_at: at, paused_reason: reason, ...(isLeased && released) };
      await update(trx, { teamId, ids }, paused);
      return running;
    },

    /**
     * Resumes the paused ones that match; `changes` has what else changes in a row then. Returns them
     * as they were.
     */
    async resume(
      trx: Trx,
      filter: Filter,
      changes?: (row: Row<T>) => Changes<T>,
    ): Promise<Row<T>[]> {
      const paused = await lock(trx, { ...filter, isPaused: true });
      for (const row of paused) {
        const running = { paused_at: null, paused_reason: null, ...changes?.(row) };
        await update(trx, { teamId: filter.teamId, ids: [row.id] }, running);
      }
      return paused;
    },
  };
}
