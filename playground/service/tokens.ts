import { randomBytes } from 'node:crypto';

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
