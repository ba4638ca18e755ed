import { createAlerts } from './data/alerts.ts';
import { cast } from './data/cast.ts';
import { createCompliance, createPolicies } from './data/policies.ts';
import { createRandom } from './data/random.ts';
import { createUsers } from './data/users.ts';
import type { PortalDefinition } from './portals.ts';
import type { Alert, ComplianceStatistics, OrganizationalUnit, Policy, User } from './resources.ts';

export const globalUnitId = '00000000-0000-0000-0000-000000000000';

/** A resource with the unit that owns it; the global unit sees those of every unit. */
type Owned<T> = { organizationalUnitId: string; resource: T };
export type Collection<T> = Map<string, Owned<T>>;

/** Everything one portal holds. */
export type Store = {
  users: Collection<User>;
  policies: Collection<Policy>;
  alerts: Collection<Alert>;
  complianceStatistics: Map<string, Partial<ComplianceStatistics>>;
  newPolicyId: () => string;
};

/** The global unit, which is the default, and the one that sees a part. The same at every start. */
export function organizationalUnitsOf(portal: PortalDefinition): OrganizationalUnit[] {
  return [
    { id: globalUnitId, name: 'Global', isDefault: true },
    { id: partialUnitId(portal), name: portal.unitName, isDefault: false },
  ];
}

function partialUnitId(portal: PortalDefinition): string {
  return createRandom(portal.seed).uuid();
}

/** The portal's initial data: the same for the same portal and the same now. */
export function createStore(portal: PortalDefinition, now: Date): Store {
  // A stream of chance for each collection, so that a change to one leaves the others as they were.
  const stream = (number: number) => createRandom(portal.seed * 10 + number);
  const unitId = partialUnitId(portal);
  const ownerEvery = (nth: number) => (index: number) =>
    index % nth === 0 ? unitId : globalUnitId;
  const allPolicies = createPolicies(stream(2));
  const unitPolicies = allPolicies.filter((_, index) => index % 3 === 0);
  // An alert of the unit names a policy that the unit can see.
  const policyFor = (index: number) => {
    const visible = index % 4 === 0 ? unitPolicies : allPolicies;
    return visible[index % visible.length];
  };
  const people = createUsers({
    now,
    random: stream(1),
    firstId: portal.firstUserId,
    cast: portal.hasCast ? cast : [],
  });

  return {
    users: collect(people, ownerEvery(4)),
    policies: collect(allPolicies, ownerEvery(3)),
    alerts: collect(createAlerts({ now, random: stream(3), policyFor }), ownerEvery(4)),
    complianceStatistics: createCompliance(allPolicies, stream(4)),
    newPolicyId: stream(5).uuid,
  };
}

function collect<T extends { id: string }>(
  resources: readonly T[],
  ownerAt: (index: number) => string,
): Collection<T> {
  return new Map(
    resources.map((resource, index) => [
      resource.id,
      { organizationalUnitId: ownerAt(index), resource },
    ]),
  );
}

/** What a request that runs in the unit can see, in the collection's own order. */
export function visibleIn<T>(collection: Collection<T>, unitId: string): T[] {
  return [...collection.values()].filter((owned) => sees(unitId, owned)).map((o) => o.resource);
}

/** Undefined also for what exists but belongs to another unit: the two must look alike from outside. */
export function findVisible<T>(
  collection: Collection<T>,
  id: string,
  unitId: string,
): T | undefined {
  const owned = collection.get(id);
  return owned && sees(unitId, owned) ? owned.resource : undefined;
}

/** Puts a changed resource in the place of the old one; its owner stays. */
export function replace<T extends { id: string }>(collection: Collection<T>, resource: T): void {
  const owned = collection.get(resource.id);
  if (owned) owned.resource = resource;
}

function sees(unitId: string, owned: Owned<unknown>): boolean {
  return unitId === globalUnitId || owned.organizationalUnitId === unitId;
}
