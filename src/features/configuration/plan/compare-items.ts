import type { Item, Workspace } from '../file/configuration.ts';
import { listItems } from '../file/configuration.ts';
import type { StoredItem } from '../read-stored.ts';

/** What becomes of an item. */
export type ItemChange =
  | { kind: 'add'; after: Item }
  /** Both in the same section. */
  | { kind: 'change'; before: StoredItem; after: Item }
  | { kind: 'remove'; before: StoredItem };

/** The changes that lead from the stored items to the wanted ones, both in canonical form. */
export function compareItems(stored: StoredItem[], wanted: Workspace): ItemChange[] {
  // A connection whose name only changes its case is still the same one.
  const names = new Map(wanted.connections.map(({ name }) => [name.toLowerCase(), name]));
  const unmatched = takers(stored, (item) => {
    const { connection } = item.value;
    return textOf(
      { ...item.value, connection: names.get(connection.toLowerCase()) ?? connection },
      item,
    );
  });
  const changed = listItems(wanted).filter((item) => !unmatched.take(textOf(item.value, item)));
  const rest = takers(unmatched.rest(), identityOf);
  const changes = changed.map((after): ItemChange => {
    const before = rest.take(identityOf(after));
    return before ? { kind: 'change', before, after } : { kind: 'add', after };
  });
  const removed = rest.rest().map((before): ItemChange => ({ kind: 'remove', before }));
  return [...removed, ...changes];
}

function textOf(value: Item['value'], { section }: Item): string {
  return JSON.stringify([section, value]);
}

/**
 * Identifies an item regardless of its settings. All digests of a channel on one connection have the same
 * identity, because nothing distinguishes a changed digest from a new one.
 */
export function identityOf(item: Item): string {
  const { section, value } = item;
  const place = [section, value.channel];
  if (section === 'channels') return JSON.stringify(place);
  const onConnection = [...place, value.connection.toLowerCase()];
  if (section === 'alertWatches') return JSON.stringify([...onConnection, value.filter]);
  if (section === 'complianceWatches') return JSON.stringify([...onConnection, value.policy.id]);
  return JSON.stringify(onConnection);
}

/** Each of the items can be taken once, by its key. */
function takers(items: StoredItem[], keyOf: (item: StoredItem) => string) {
  const byKey = Map.groupBy(items, keyOf);
  return {
    take: (key: string): StoredItem | undefined => byKey.get(key)?.shift(),
    rest: (): StoredItem[] => [...byKey.values()].flat(),
  };
}
