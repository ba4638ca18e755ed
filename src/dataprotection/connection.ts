import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import type { Dialect } from './dialects/dialect.ts';

/** How to reach one tenant of the service (§5 Authentication). */
export type ServiceConnection = {
  /** The API of the portal that issued the token. */
  baseUrl: string;
  dialect: Dialect;
  token: string;
  /** The unit in which requests run; by default the token's own. */
  organizationalUnitId?: string | undefined;
  /** The rate limit of the token's organization. */
  requestsPerSecond: number;
};

/** Identifies the organization that a token belongs to, without containing the token. */
export function organizationKey({ baseUrl, token }: ServiceConnection): string {
  return `${createHash('sha256').update(token).digest('base64url')} ${baseUrl}`;
}

const claims = z.object({ exp: z.number().positive().max(8.64e12) });

/**
 * The expiry of a JWT token (§5 Authentication), for a warning in time; undefined if it names none
 * or is no JWT. The signature isn't verified: only the service decides whether a token is valid.
 */
export function tokenExpiry(token: string): Date | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  const decoded = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  const parsed = claims.safeParse(decoded);
  return parsed.success ? new Date(parsed.data.exp * 1000) : undefined;
}
