import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * The OAuth state, which proves that the browser that comes back from Slack is the one that left:
 * `<expiry>.<signature>`, signed together with a random value that only that browser has, in a cookie.
 * https://docs.slack.dev/authentication/installing-with-oauth#asking
 */

export const installCookie = 'belay-install';
const lifetimeMs = 10 * 60_000;
export const cookieSeconds = lifetimeMs / 1000;

/** 32 random bytes. */
const cookieFormat = /^[\w-]{43}$/;

/** The value of the browser's cookie: the one it has, so that two open tabs both work, or a new one. */
export function chooseCookie(cookies: string | undefined): string {
  return readCookie(cookies) ?? randomBytes(32).toString('base64url');
}

export function signState(cookie: string, { secret, now }: { secret: string; now: Date }): string {
  const expiresAt = String(now.getTime() + lifetimeMs);
  return `${expiresAt}.${signature(expiresAt, cookie, secret)}`;
}

/** `foreign`: forged, or begun in another browser. */
export function checkState(
  state: string,
  cookies: string | undefined,
  { secret, now }: { secret: string; now: Date },
): 'valid' | 'expired' | 'foreign' {
  const cookie = readCookie(cookies);
  const [, expiresAt, signed] = /^(\d{1,15})\.([\w-]{43})$/.exec(state) ?? [];
  if (cookie === undefined || expiresAt === undefined || signed === undefined) return 'foreign';
  const expected = Buffer.from(signature(expiresAt, cookie, secret));
  if (!timingSafeEqual(expected, Buffer.from(signed))) return 'foreign';
  return Number(expiresAt) > now.getTime() ? 'valid' : 'expired';
}

function signature(expiresAt: string, cookie: string, secret: string): string {
  return createHmac('sha256', secret).update(`install ${expiresAt} ${cookie}`).digest('base64url');
}

function readCookie(cookies = ''): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  const value = pairs.find(([name]) => name === installCookie)?.[1];
  return value !== undefined && cookieFormat.test(value) ? value : undefined;
}
