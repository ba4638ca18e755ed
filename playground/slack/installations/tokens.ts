import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/clock.ts';
import type { Installation } from './installation.ts';

/** The life of an access token with rotation, in seconds. */
export const TOKEN_LIFE_SECONDS = 43_200;

/** With more than two active tokens after a refresh, Slack revokes the oldest. */
const ACTIVE_LIMIT = 2;

export type AccessToken = {
  token: string;
  /** Names the token in records, without being a credential. */
  tokenId: string;
  installation: Installation;
  /** Milliseconds; undefined for tokens that don't expire. */
  expiresAt: number | undefined;
  /** Slack's error for this token after it was revoked or the app was uninstalled. */
  dead: 'token_revoked' | 'account_inactive' | undefined;
};

type RefreshToken = {
  token: string;
  tokenId: string;
  installation: Installation;
  /** Until it is exchanged, or the app is uninstalled. */
  isUsable: boolean;
};

/** All tokens of the app, including those that no longer work. */
export type TokenBook = {
  access: Map<string, AccessToken>;
  refresh: Map<string, RefreshToken>;
};

export const createTokenBook = (): TokenBook => ({ access: new Map(), refresh: new Map() });

export const addAccessToken = (
  book: TokenBook,
  installation: Installation,
  token: string,
  expiresAt?: number,
): AccessToken => {
  const tokenId = `access-${book.access.size + 1}`;
  const added = { token, tokenId, installation, expiresAt, dead: undefined };
  book.access.set(token, added);
  return added;
};

/** The error that Slack answers to a call with this token; undefined if it works. */
export const problemOf = (
  token: AccessToken,
  clock: Clock,
): AccessToken['dead'] | 'token_expired' => {
  if (token.dead) return token.dead;
  const isExpired = token.expiresAt !== undefined && clock().getTime() >= token.expiresAt;
  return isExpired ? 'token_expired' : undefined;
};

const activeTokens = (book: TokenBook, installation: Installation, clock: Clock): AccessToken[] =>
  [...book.access.values()].filter(
    (one) => one.installation === installation && problemOf(one, clock) === undefined,
  );

export type IssuedTokens = { access: AccessToken; refresh?: RefreshToken };

/** Issues tokens as an installation gets them: a lasting one, or a pair that rotates. */
export const issueTokens = (
  book: TokenBook,
  installation: Installation,
  clock: Clock,
): IssuedTokens => {
  const secret = () => randomBytes(24).toString('hex');
  const { tokenLifeSeconds } = installation;
  if (tokenLifeSeconds === undefined) {
    // Installing again answers with the token that the workspace has.
    const [current] = activeTokens(book, installation, clock);
    return { access: current ?? addAccessToken(book, installation, `xoxb-${secret()}`) };
  }
  const expiresAt = clock().getTime() + tokenLifeSeconds * 1000;
  const access = addAccessToken(book, installation, `xoxe.xoxb-1-${secret()}`, expiresAt);
  for (const old of activeTokens(book, installation, clock).slice(0, -ACTIVE_LIMIT)) {
    old.dead = 'token_revoked';
  }
  const tokenId = `refresh-${book.refresh.size + 1}`;
  const token = `xoxe-1-${secret()}`;
  const refresh = { token, tokenId, installation, isUsable: true };
  book.refresh.set(token, refresh);
  return { access, refresh };
};

/** Ends all tokens of an installation that was uninstalled. */
export const endTokens = (book: TokenBook, installation: Installation): void => {
  for (const token of book.access.values()) {
    if (token.installation === installation) token.dead ??= 'account_inactive';
  }
  for (const token of book.refresh.values()) {
    if (token.installation === installation) token.isUsable = false;
  }
};
