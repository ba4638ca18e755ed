import { globalUnitId } from '../portal/portal-definitions.ts';

/**
 * A resource and the organizational unit that owns it. Immutable, so that rendered JSON can be
 * cached by identity.
 */
export type Owned<T> = { readonly organizationalUnitId: string; readonly resource: T };

/** Resources of one kind, in a fixed order. */
export type Collection<T> = {
  all: () => T[];
  /** The resources that a request in the unit can see; the global unit sees all. */
  visibleIn: (unitId: string) => readonly Owned<T>[];
  /**
   * Also undefined for a resource of another unit: a client must not be able to tell the
   * difference.
   */
  find: (id: string, unitId: string) => Owned<T> | undefined;
  get: (id: string) => T | undefined;
  add: (item: Owned<T>) => void;
  addFirst: (item: Owned<T>) => void;
  /** Replaces the resource with the same id; keeps its owner unless another is given. */
  replace: (resource: T, organizationalUnitId?: string) => void;
  remove: (id: string) => void;
};

/** The initial items are created on first use, because most portals are never used. */
export function createCollection<T extends { id: string }>(
  create: () => readonly Owned<T>[],
): Collection<T> {
  let made: Map<string, Owned<T>> | undefined;
  // Cached, because a client that reads a large list needs the same view for every page.
  const views = new Map<string, readonly Owned<T>[]>();

  const items = () => {
    made ??= byId(create());
    return made;
  };
  const change = () => {
    views.clear();
    return items();
  };

  return {
    all: () => [...items().values()].map(({ resource }) => resource),
    visibleIn(unitId) {
      const view =
        views.get(unitId) ?? [...items().values()].filter((item) => isVisibleIn(unitId, item));
      views.set(unitId, view);
      return view;
    },
    find(id, unitId) {
      const item = items().get(id);
      return item && isVisibleIn(unitId, item) ? item : undefined;
    },
    get: (id) => items().get(id)?.resource,
    add: (item) => void change().set(item.resource.id, item),
    addFirst(item) {
      made = byId([item, ...change().values()]);
    },
    replace(resource, organizationalUnitId) {
      const owner = organizationalUnitId ?? items().get(resource.id)?.organizationalUnitId;
      if (owner !== undefined) change().set(resource.id, { organizationalUnitId: owner, resource });
    },
    remove: (id) => void change().delete(id),
  };
}

function byId<T extends { id: string }>(items: readonly Owned<T>[]): Map<string, Owned<T>> {
  return new Map(items.map((item) => [item.resource.id, item]));
}

function isVisibleIn(unitId: string, item: Owned<unknown>): boolean {
  return unitId === globalUnitId || item.organizationalUnitId === unitId;
}
