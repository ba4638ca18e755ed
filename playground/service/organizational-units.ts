import { createRandom } from './data/random.ts';
import type { PortalDefinition } from './portals.ts';
import type { OrganizationalUnit } from './resources.ts';

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
