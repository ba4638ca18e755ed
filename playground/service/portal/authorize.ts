import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { errorResponse, type ServiceResponse } from '../http/response.ts';
import type { OrganizationalUnit } from '../resources.ts';

/** The rights of a token in a portal. */
export type Grant = { token: string; defaultUnitId: string; unitIds: readonly string[] };

const oneYearInSeconds = 365 * 24 * 60 * 60;

/**
 * A new token in the format of a JWT. Its signature is random: the service compares tokens as a
 * whole.
 */
export function createToken(portalId: string, now: Date, expiresAt?: Date): string {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const header = { alg: 'HS256', typ: 'JWT' };
  const payload = {
    iss: portalId,
    jti: randomBytes(12).toString('hex'),
    iat: issuedAt,
    exp: expiresAt ? Math.floor(+expiresAt / 1000) : issuedAt + oneYearInSeconds,
  };
  return [encode(header), encode(payload), randomBytes(32).toString('base64url')].join('.');
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Undefined for a missing or malformed header, or a token of another portal. */
export function findGrant(
  headers: IncomingHttpHeaders,
  grants: readonly Grant[],
): Grant | undefined {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return grants.find((grant) => grant.token === token);
}

export function rejectCredentials(): ServiceResponse {
  return errorResponse(401, 'The credentials are not accepted here.', {
    'www-authenticate': 'Bearer',
  });
}

type UnitChoice =
  | { ok: true; unit: OrganizationalUnit }
  | { ok: false; rejection: ServiceResponse };

/** The unit of the request's header, by default the token's own. An empty header counts as none. */
export function chooseUnit(
  requestedId: string | undefined,
  grant: Grant,
  units: readonly OrganizationalUnit[],
): UnitChoice {
  const unitId = requestedId || grant.defaultUnitId;
  const unit = units.find(({ id }) => id === unitId && grant.unitIds.includes(id));
  if (unit) return { ok: true, unit };
  // The same response for an unknown and a forbidden unit, so that units can't be probed.
  return { ok: false, rejection: errorResponse(403, 'This token may not work in that unit.') };
}
