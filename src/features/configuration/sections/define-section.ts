import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { AppendEntry } from '../../../audit-log/append.ts';
import type { Tables } from '../../../database/tables.ts';
import type {
  ChangedBy,
  NewSubscription,
  Subscription,
} from '../../../subscriptions/subscription.ts';
import { SetupChangedError } from '../../../workspace/open-settings.ts';
import type { StoredSetup } from '../../../workspace/store/configured-workspace.ts';
import type { Anchor } from '../../watches/index.ts';

type Trx = Transaction<Tables>;

const person = z.string().regex(/^[UW][A-Z0-9]+$/, "isn't a Slack member ID. Example: U0123ABC");
const channel = z.string().regex(/^[CDG][A-Z0-9]+$/, "isn't a Slack channel ID. Example: C0123ABC");

/** `connection` is a name; `owner` may change the item and is notified if the channel is lost. */
export const placedItem = z.strictObject({ channel, connection: z.string(), owner: person });
/** Saved filters have no connection. */
type Placed = Omit<z.infer<typeof placedItem>, 'connection'> & { connection?: string };
type OnConnection = z.infer<typeof placedItem>;

export function placed({ channel, connection, owner }: OnConnection): OnConnection {
  return { channel, connection, owner };
}

export type ItemContext = ChangedBy & {
  teamId: string;
  append: AppendEntry;
};

/** With the connection in use that an item is on. */
type SaveContext = ItemContext & {
  connection: { id: string; originId: string; anchor: Anchor | undefined };
};

/** As it is to be stored, apart from its own value: a new item, or the stored one that has the id. */
type Placement = NewSubscription & SaveContext & { originId: string; isNew: boolean };

type Stored = Pick<Subscription, 'id' | 'channelId' | 'originId' | 'createdBy'>;

/** What the rest of the code uses as it is declared. */
type SectionBase = {
  /** Its key in the file. */
  name: string;
  /** Of what a channel has a limited number; `connection`: what the commands in the channel use. */
  family: 'watches' | 'mutes' | 'saved filters' | 'digests' | 'connection';
  /** Whether a channel may have several with the same identity. */
  canRepeat?: boolean;
  /** Whether a new item begins at the newest alert of its connection. */
  needsAnchor?: boolean;
  remove: (trx: Trx, ref: { teamId: string; id: string }, context: ItemContext) => Promise<unknown>;
};

type Declaration<Value extends Placed, One extends Stored> = SectionBase & {
  /** Of one item. */
  schema: z.ZodType<Value>;
  /** With keys in a fixed order, and lists sorted whose order means nothing. */
  canonical: (value: Value) => Value;
  /** What identifies it in its channel, regardless of its settings; `connection` is in lower case. */
  identity: (value: Value, connection: string) => unknown[];
  /** User groups that its messages mention. */
  mentions?: (value: Value) => string[];
  list: (trx: Trx, workspace: Pick<StoredSetup, 'teamId' | 'pins'>) => Promise<One[]>;
  toValue: (place: OnConnection, stored: One) => Value;
  /** Resolves to undefined if the channel has an equal one already, or the stored one has ended. */
  save: (trx: Trx, value: Value, placement: Placement) => Promise<object | undefined>;
};

/** What is in a channel. Only its section knows the type of the value. */
export type Item = {
  section: Section;
  value: Placed;
  /** Of the section and the value. */
  text: string;
  identity: string;
  mentions: string[];
  canonical: () => Item;
  /** The same with another spelling of its connection's name. */
  spelled: (connection: string) => Item;
  /**
   * Adds the item, or changes the stored one that has the id.
   * @throws {SetupChangedError} if the channel got an equal one after the plan was made, or it ended
   */
  save: (trx: Trx, context: SaveContext, id?: string) => Promise<void>;
};

/** An item with its id in the database; the id of the channel, for its connection. */
export type StoredItem = Item & { id: string };

/** What all sections have in common: the rest of the code knows none by name. */
export type Section = SectionBase & {
  schema: z.ZodType<Item>;
  /** In canonical form. */
  listStored: (trx: Trx, setup: StoredSetup) => Promise<StoredItem[]>;
};

export function defineSection<Value extends Placed, One extends Stored>({
  schema,
  canonical,
  identity,
  mentions,
  list,
  toValue,
  save,
  ...base
}: Declaration<Value, One>): Section {
  const toItem = (value: Value): Item => {
    const own = identity(value, value.connection?.toLowerCase() ?? '');
    return {
      section,
      value,
      text: JSON.stringify([base.name, value]),
      identity: JSON.stringify([base.name, value.channel, ...own]),
      mentions: mentions?.(value) ?? [],
      canonical: () => toItem(canonical(value)),
      spelled: (connection) =>
        value.connection === undefined ? toItem(value) : toItem({ ...value, connection }),
      async save(trx, context, id) {
        const { originId } = context.connection;
        const { channel: channelId, owner: createdBy } = value;
        const ids = { id: id ?? randomUUID(), isNew: id === undefined, originId, channelId };
        const saved = await save(trx, value, { ...context, ...ids, createdBy });
        if (!saved)
          throw new SetupChangedError('a watch, mute or digest was added or ended meanwhile');
      },
    };
  };
  const section: Section = {
    ...base,
    schema: schema.transform(toItem),
    async listStored(trx, setup) {
      const all = await list(trx, { teamId: setup.teamId, pins: setup.pins });
      return all.flatMap((one) => {
        const on = setup.connections.find(({ originId, isDefault }) =>
          one.originId === undefined ? isDefault : originId === one.originId,
        );
        // Items of a removed connection are ignored.
        if (!on) return [];
        const place = { channel: one.channelId, connection: on.name, owner: one.createdBy };
        return [{ id: one.id, ...toItem(canonical(toValue(place, one))) }];
      });
    },
  };
  return section;
}
