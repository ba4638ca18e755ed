import {
  globalUnitId,
  type PortalDefinition,
  partialUnitId,
} from '../portal/portal-definitions.ts';
import type {
  Alert,
  Backup,
  ComplianceStatistics,
  Environment,
  Policy,
  PolicyField,
  Task,
  User,
  Volume,
} from '../resources.ts';
import { createAlerts } from './alerts.ts';
import { createBackups } from './backups.ts';
import { type Collection, createCollection, type Owned } from './collection.ts';
import { createEnvironments } from './environments.ts';
import { namedUsers } from './named-users.ts';
import { createCompliance, createPolicies, protectsEbsVolumes } from './policies.ts';
import { createRandom } from './random.ts';
import { createTasks } from './tasks.ts';
import { createUsers } from './users.ts';
import { createVolumes } from './volumes.ts';

/** All data of one portal. */
export type Store = {
  users: Collection<User>;
  policies: Collection<Policy>;
  alerts: Collection<Alert>;
  tasks: Collection<Task>;
  environments: Collection<Environment>;
  volumes: Collection<Volume>;
  backups: Collection<Backup>;
  complianceStatistics: Map<string, Partial<ComplianceStatistics>>;
  newId: () => string;
  /** No id is used twice, not even that of a deleted user. */
  newUserId: () => string;
  /** The user whose tokens the portal's tokens are. */
  ownerId: string;
  /** Whether users get their roles and units from an identity provider. */
  isAutoProvisioned: boolean;
  /** Fields of a policy that a replacement does not change, against the contract. */
  ignoredPolicyFields: readonly PolicyField[];
};

type StoreOptions = {
  now: Date;
  userCount: number;
  volumeCount: number;
  /** Adds the dialect's own fields to an initial policy. */
  seedPolicy: (policy: Policy) => Policy;
};

/** The initial data of a portal: the same for the same portal and the same `now`. */
export function createStore(portal: PortalDefinition, options: StoreOptions): Store {
  const { now, userCount, volumeCount } = options;
  // A separate sequence for each collection, so that a change to one leaves the others unchanged.
  const stream = (number: number) => createRandom(portal.seed * 10 + number);
  const unitId = partialUnitId(portal);
  const allPolicies = createPolicies(stream(2)).map(options.seedPolicy);
  const unitPolicies = allPolicies.filter((_, index) => index % 3 === 0);
  // An alert of the partial unit refers to a policy that the unit can see.
  const policyFor = (index: number) => {
    const visible = index % 4 === 0 ? unitPolicies : allPolicies;
    return visible[index % visible.length];
  };
  // Volumes are made from environments and backups from volumes. Each is made anew for the next, so
  // that no collection depends on when another is first used.
  const environments = () => createEnvironments({ random: stream(7), partialUnitId: unitId });
  const volumes = () =>
    createVolumes({
      now,
      count: volumeCount,
      random: stream(8),
      environments: environments(),
      policiesIn: (id) => (id === unitId ? unitPolicies : allPolicies).filter(protectsEbsVolumes),
    });
  const backups = () =>
    createBackups({ now, random: stream(9), volumes: volumes(), policies: allPolicies });
  const firstId = portal.firstUserId;
  let nextUserId = firstId + userCount;
  const people = portal.hasNamedUsers ? namedUsers : [];
  /** Every nth resource belongs to the partial unit, the others to the global one. */
  const shared = <T extends { id: string }>(nth: number, create: () => T[]) =>
    createCollection(() =>
      create().map(
        (resource, index): Owned<T> => ({
          organizationalUnitId: index % nth === 0 ? unitId : globalUnitId,
          resource,
        }),
      ),
    );

  return {
    users: shared(4, () =>
      createUsers({ now, random: stream(1), firstId, namedUsers: people, count: userCount }),
    ),
    policies: shared(3, () => allPolicies),
    alerts: shared(4, () => createAlerts({ now, random: stream(3), policyFor })),
    tasks: shared(4, () => createTasks({ now, random: stream(6) })),
    environments: createCollection(environments),
    volumes: createCollection(volumes),
    backups: createCollection(backups),
    complianceStatistics: createCompliance(allPolicies, stream(4)),
    newId: stream(5).uuid,
    newUserId() {
      nextUserId += 1;
      return String(nextUserId - 1);
    },
    ownerId: String(firstId),
    isAutoProvisioned: false,
    ignoredPolicyFields: [],
  };
}

/** Replaces a policy as a request asks, but for the fields that the service ignores. */
export function replaceStored(
  { policies, ignoredPolicyFields }: Pick<Store, 'policies' | 'ignoredPolicyFields'>,
  policy: Policy,
  organizationalUnitId?: string,
): void {
  const before = policies.get(policy.id);
  const kept = ignoredPolicyFields.map((field) => [field, before?.[field]]);
  policies.replace({ ...policy, ...Object.fromEntries(kept) }, organizationalUnitId);
}
