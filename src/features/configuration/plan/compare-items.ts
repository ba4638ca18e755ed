import type { Workspace } from '../file/configuration.ts';
import type { Item, StoredItem } from '../sections/define-section.ts';

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
    if (connection === undefined) return item.text;
    return item.spelled(names.get(connection.toLowerCase()) ?? connection).text;
  });
  const changed = wanted.items.filter(({ text }) => !unmatched.take(text));
  const rest = takers(unmatched.rest(), ({ identity }) => identity);
  const changes = changed.map((after): ItemChange => {
    const before = rest.take(after.identity);
    return before ? { kind: 'change', before, after } : { kind: 'add', after };
  });
  const removed = rest.rest().map((before): ItemChange => ({ kind: 'remove', before }));
  return [...removed, ...changes];
}

/** Each of the items can be taken once, by its key. */
function takers(items: StoredItem[], keyOf: (item: StoredItem) => string) {
  const byKey = Map.groupBy(items, keyOf);
  return {
    take: (key: string): StoredItem | undefined => byKey.get(key)?.shift(),
    rest: (): StoredItem[] => [...byKey.values()].flat(),
  };
}
