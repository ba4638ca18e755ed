import { createHash } from 'node:crypto';
import type { Dialect } from './dialects/dialect.ts';

/**
 * How one service tenant is reached: the base URL of the portal that issued the token, the dialect
 * that its service speaks, the token, and the organizational unit to run in (without one, the
 * token's own default).
 */
export type ServiceConnection = {
  baseUrl: string;
  dialect: Dialect;
  token: string;
  organizationalUnitId?: string | undefined;
  /** What the service allows the token's organisation. */
  requestsPerSecond: number;
};

/** Whoever holds the same token is the same organisation. The token itself is not in it. */
export function organisationKey({ baseUrl, token }: ServiceConnection): string {
  return `${createHash('sha256').update(token).digest('base64url')} ${baseUrl}`;
}
