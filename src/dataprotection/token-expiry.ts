import { z } from 'zod';

const claims = z.object({ exp: z.number().positive().max(8.64e12) });

/**
 * When a token ends by its own words; undefined for one that is no JWT or names no end. Nothing is
 * verified: the service judges the token, this only warns in time.
 */
export function tokenExpiry(token: string): Date | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const decoded: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const parsed = claims.safeParse(decoded);
    return parsed.success ? new Date(parsed.data.exp * 1000) : undefined;
  } catch {
    return undefined;
  }
}
