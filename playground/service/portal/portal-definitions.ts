import { createRandom } from '../data/random.ts';
import type { OrganizationalUnit } from '../resources.ts';

export type PortalDefinition = {
  id: string;
  label: string;
  /** Seeds differ, so that portals have different data. */
  seed: number;
  /** User ids don't overlap between portals, so a user of one is unknown to the others. */
  firstUserId: number;
  /** Whether the portal has the named users that demos and tests use. */
  hasNamedUsers: boolean;
  unitName: string;
};

/** The four regional portals of the contract (§1 What the service does). */
export const portalDefinitions: readonly PortalDefinition[] = [
  {
    id: 'us-west',
    label: 'US West',
    seed: 11,
    firstUserId: 1,
    hasNamedUsers: true,
    unitName: 'Finance',
  },
  {
    id: 'us-east',
    label: 'US East',
    seed: 22,
    firstUserId: 1001,
    hasNamedUsers: false,
    unitName: 'Research',
  },
  {
    id: 'canada',
    label: 'Canada',
    seed: 33,
    firstUserId: 2001,
    hasNamedUsers: false,
    unitName: 'Logistics',
  },
  {
    id: 'europe',
    label: 'Europe',
    seed: 44,
    firstUserId: 3001,
    hasNamedUsers: false,
    unitName: 'Retail',
  },
];

export const globalUnitId = '00000000-0000-0000-0000-000000000000';

/**
 * The global unit, which is the default and sees everything, and a partial unit. Stable across
 * starts.
 */
export function organizationalUnitsOf(portal: PortalDefinition): OrganizationalUnit[] {
  return [
    { id: globalUnitId, name: 'Global', isDefault: true },
    { id: partialUnitId(portal), name: portal.unitName, isDefault: false },
  ];
}

export function partialUnitId(portal: PortalDefinition): string {
  return createRandom(portal.seed).uuid();
}
