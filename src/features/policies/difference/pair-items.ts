type Indexed<Item> = { item: Item; index: number };

export type Pairing<Item> = {
  pairs: { before: Item; after: Item; beforeIndex: number; afterIndex: number }[];
  removed: Indexed<Item>[];
  added: Indexed<Item>[];
};

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
  const indexed = (items: Item[]) =>
    items.map((item, index) => ({ item, index, text: canonical(item) }));
  type Candidate = ReturnType<typeof indexed>[number];
  const pairs: Pairing<Item>['pairs'] = [];
  const removed = indexed(before);
  const added = indexed(after);

  function pair(
    mayPair: (one: Candidate, other: Candidate) => boolean,
    distanceOf: (one: Candidate, other: Candidate) => number,
  ) {
    for (const one of [...removed]) {
      const [nearest] = added
        .filter((other) => mayPair(one, other))
        .map((other) => ({ other, distance: distanceOf(one, other) }))
        .toSorted((a, b) => a.distance - b.distance);
      if (!nearest) continue;
      const { other } = nearest;
      removed.splice(removed.indexOf(one), 1);
      added.splice(added.indexOf(other), 1);
      const indexes = { beforeIndex: one.index, afterIndex: other.index };
      pairs.push({ before: one.item, after: other.item, ...indexes });
    }
  }
  pair(
    (one, other) => one.text === other.text,
    (one, other) => Number(one.index !== other.index),
  );
  for (const mayPair of rounds) pair(mayPair, (one, other) => distance(one.item, other.item));
  return { pairs, removed, added };
}

/** Whether what stayed is in another order. */
export function isReordered({ pairs }: Pairing<unknown>): boolean {
  const inOrder = pairs.toSorted((one, other) => one.beforeIndex - other.beforeIndex);
  return inOrder.some(
    ({ afterIndex }, index) => afterIndex < (inOrder[index - 1]?.afterIndex ?? -1),
  );
}
