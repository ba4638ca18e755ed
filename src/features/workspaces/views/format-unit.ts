import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import { cut } from '../../../slack/ui/limits.ts';

const maxNamed = 5;

/** The one unit with this name, whatever its case; undefined when `text` is an id or fits several. */
export function unitCalled(
  text: string | undefined,
  units: OrganizationalUnit[],
): OrganizationalUnit | undefined {
  if (text === undefined || units.some(({ id }) => id === text)) return undefined;
  const named = units.filter(({ name }) => name?.toLowerCase() === text.toLowerCase());
  return named.length === 1 ? named[0] : undefined;
}

/** Plain text, for beside the field. */
export function refusedUnitText(units: OrganizationalUnit[]): string {
  const refused = 'The token is good, but it may not use this unit.';
  if (units.length === 0) return `${refused} Check the id, or leave it empty.`;
  const named = units
    .slice(0, maxNamed)
    .map(({ id, name }) => (name ? `${cut(name, 100)} (${id})` : id));
  const rest = units.length > maxNamed ? ', and others' : '';
  return `${refused} Leave it empty, or choose another: ${named.join(', ')}${rest}.`;
}
