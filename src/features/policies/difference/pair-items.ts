export type Pairing<Item> = {
  pairs: { before: Item; after: Item; beforeIndex: number; afterIndex: number }[];
  removed: { item: Item; index: number }[];
  added: { item: Item; index: number }[];
};

type Indexed<Item> = { item: Item; index: number };

/**
 * Pairs each item with what became of it: first the equal ones, then in each round those that may be
 * a pair, the nearest first. Each item is in one pair at most, so that no item can stand in for two
 * that were there before; what is left over was removed or added.
 */
export function pairItems<Item>(
  before: Item[],
  after: Item[],
  {
    canonical,
    rounds,
    distance,
  }: {
    canonical: (item: Item) => string;
    rounds: ((before: Indexed<Item>, after: Indexed<Item>) => boolean)[];
    distance: (before: Item, after: Item) => number;
  },
): Pairing<Item> {
  const pairs: Pairing<Item>['pairs'] = [];
  const free = after.map((item, index) => ({ item, index, text: canonical(item) }));
  const take = (one: Indexed<Item>, other: Indexed<Item>) => {
    free.splice(
      free.findIndex(({ index }) => index === other.index),
      1,
    );
    const indexes = { beforeIndex: one.index, afterIndex: other.index };
    pairs.push({ before: one.item, after: other.item, ...indexes });
  };

  const takeWhere = (
    open: Indexed<Item>[],
    find: (one: Indexed<Item>) => Indexed<Item> | undefined,
  ) =>
    open.filter((one) => {
      const found = find(one);
      if (found) take(one, found);
      return !found;
    });

  const indexed = before.map((item, index) => ({ item, index }));
  const changed = takeWhere(indexed, ({ item, index }) => {
    const own = canonical(item);
    const equal = free.filter(({ text }) => text === own);
    return equal.find((other) => other.index === index) ?? equal[0];
  });
  const removed = rounds.reduce(
    (open, mayPair) =>
      takeWhere(open, (one) => {
        const candidates = free
          .filter((other) => mayPair(one, other))
          .map((other) => ({ other, distance: distance(one.item, other.item) }));
        return candidates.toSorted((a, b) => a.distance - b.distance)[0]?.other;
      }),
    changed,
  );
  return { pairs, removed, added: free.map(({ item, index }) => ({ item, index })) };
}

/** Whether what stayed is in another order. */
export function isReordered({ pairs }: Pairing<unknown>): boolean {
  const inOrder = pairs.toSorted((one, other) => one.beforeIndex - other.beforeIndex);
  return inOrder.some(
    ({ afterIndex }, index) => afterIndex < (inOrder[index - 1]?.afterIndex ?? -1),
  );
}
