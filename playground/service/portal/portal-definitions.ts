import { createRandom } from '../data/random.ts';
import type { OrganizationalUnit } from '../resources.ts';

export type PortalDefinition = {
  id: string;
  label: string;
  /** Portals hold different data; the seed tells them apart. */
  seed: number;
  /** Ids do not overlap between portals, so a user of one is unknown to the others. */
  firstUserId: number;
  /** Whether the people that demos know by name work here. */
  hasCast: boolean;
  unitName: string;
};

/** The four regional portals of the contract (section 1). */
export const portalDefinitions: readonly PortalDefinition[] = [
  {
    id: 'us-west',
    label: 'US West',
    seed: 11,
    firstUserId: 1,
    hasCast: true,
    unitName: 'Finance',
  },
  {
    id: 'us-east',
    label: 'US East',
    seed: 22,
    firstUserId: 1001,
    hasCast: false,
    unitName: 'Research',
  },
  {
    id: 'canada',
    label: 'Canada',
    seed: 33,
    firstUserId: 2001,
    hasCast: false,
    unitName: 'Logistics',
  },
  {
    id: 'europe',
    label: 'Europe',
    seed: 44,
    firstUserId: 3001,
    hasCast: false,
    unitName: 'Retail',
  },
];

export const globalUnitId = '00000000-0000-0000-0000-000000000000';

/** The global unit, which is the default, and the one that sees a part. The same at every start. */
export function organizationalUnitsOf(portal: PortalDefinition): OrganizationalUnit[] {
  return [
    { id: globalUnitId, name: 'Global', isDefault: true },
    { id: partialUnitId(portal), name: portal.unitName, isDefault: false },
  ];
}

export function partialUnitId(portal: PortalDefinition): string {
  return createRandom(portal.seed).uuid();
}
