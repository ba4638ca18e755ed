import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, refuse } from './answer.ts';
import type { OrganizationalUnit } from './resources.ts';
import type { Grant } from './tokens.ts';

/** Undefined for a missing or malformed header and for a token that this portal did not issue. */
export function findGrant(
  headers: IncomingHttpHeaders,
  grants: readonly Grant[],
): Grant | undefined {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return grants.find((grant) => grant.token === token);
}

export function refuseCredentials(): Answer {
  return refuse(401, 'The credentials are not accepted here.', { 'www-authenticate': 'Bearer' });
}

type UnitChoice = { ok: true; unit: OrganizationalUnit } | { ok: false; refusal: Answer };

/** The wanted unit, else the token's default; an empty wish counts as none. */
export function chooseUnit(
  wanted: string | undefined,
  grant: Grant,
  units: readonly OrganizationalUnit[],
): UnitChoice {
  const wantedId = wanted || grant.defaultUnitId;
  const unit = units.find(({ id }) => id === wantedId && grant.unitIds.includes(id));
  if (unit) return { ok: true, unit };
  // The same answer for a unit that is unknown and one that is closed: units are not to be probed.
  return { ok: false, refusal: refuse(403, 'This token may not work in that unit.') };
}
