import { globalUnitId } from '../portal/portal-definitions.ts';

/**
 * A resource with the unit that owns it; the global unit sees those of every unit. Never changed
 * in place, so that whatever was worked out from one, such as its JSON, stays right for it.
 */
export type Owned<T> = { readonly organizationalUnitId: string; readonly resource: T };

/** Resources of one kind, in an order of their own. */
export type Collection<T> = {
  all: () => T[];
  /** What a request that runs in the unit can see. */
  visibleIn: (unitId: string) => readonly Owned<T>[];
  /** Undefined also for what exists but belongs to another unit: the two must look alike from outside. */
  find: (id: string, unitId: string) => Owned<T> | undefined;
  get: (id: string) => T | undefined;
  add: (item: Owned<T>) => void;
  addFirst: (item: Owned<T>) => void;
  /** Puts a changed resource in the place of the old one; its owner stays unless another is named. */
  replace: (resource: T, organizationalUnitId?: string) => void;
  remove: (id: string) => void;
};

/** The initial items are made when they are first asked for: most portals are never asked. */
export function createCollection<T extends { id: string }>(
  create: () => readonly Owned<T>[],
): Collection<T> {
  let made: Map<string, Owned<T>> | undefined;
  // A client that walks a large list asks for the same view again and again.
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
      const view = views.get(unitId) ?? [...items().values()].filter((item) => sees(unitId, item));
      views.set(unitId, view);
      return view;
    },
    find(id, unitId) {
      const item = items().get(id);
      return item && sees(unitId, item) ? item : undefined;
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

function sees(unitId: string, item: Owned<unknown>): boolean {
  return unitId === globalUnitId || item.organizationalUnitId === unitId;
}
