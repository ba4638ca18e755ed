import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, refuse } from '../http/response.ts';
import type { OrganizationalUnit } from '../resources.ts';

/** What a token may do; who holds none of a portal's tokens is nobody there. */
export type Grant = { token: string; defaultUnitId: string; unitIds: readonly string[] };

const oneYearInSeconds = 365 * 24 * 60 * 60;

/**
 * A fresh token in the shape of a JWT. Nobody verifies its signature: the service knows the tokens
 * it issued, and clients are not supposed to look inside.
 */
export function createToken(portalId: string, now: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const header = { alg: 'HS256', typ: 'JWT' };
  const payload = {
    iss: portalId,
    jti: randomBytes(12).toString('hex'),
    iat: issuedAt,
    exp: issuedAt + oneYearInSeconds,
  };
  return [encode(header), encode(payload), randomBytes(32).toString('base64url')].join('.');
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

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
