import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../src/clock.ts';
import { type Installation, placeId } from './installation.ts';

/** The life of an access token with rotation, in seconds. */
export const TOKEN_LIFE_SECONDS = 43_200;

/** With more than two active tokens after a refresh, Slack revokes the oldest. */
const ACTIVE_LIMIT = 2;

/** Slack's answers to calls with tokens that stopped working. */
export type DeadAnswer = 'token_revoked' | 'account_inactive' | 'invalid_auth';

export type AccessToken = {
  token: string;
  /** Names the token in records, without being a credential. */
  tokenId: string;
  installation: Installation;
  /** Milliseconds; undefined for tokens that don't expire. */
  expiresAt: number | undefined;
  dead: DeadAnswer | undefined;
};

export type RefreshToken = {
  token: string;
  tokenId: string;
  installation: Installation;
  /** When it was first exchanged, in milliseconds. */
  spentAt: number | undefined;
  isRevoked: boolean;
};

/** All tokens of the app, dead ones included. */
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
): DeadAnswer | 'token_expired' | undefined => {
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
  if (!installation.isRotating) {
    // Installing again answers with the token that the workspace has.
    const [current] = activeTokens(book, installation, clock);
    return { access: current ?? addAccessToken(book, installation, `xoxb-${secret()}`) };
  }
  const expiresAt = clock().getTime() + TOKEN_LIFE_SECONDS * 1000;
  const access = addAccessToken(book, installation, `xoxe.xoxb-1-${secret()}`, expiresAt);
  for (const old of activeTokens(book, installation, clock).slice(0, -ACTIVE_LIMIT)) {
    old.dead = 'token_revoked';
  }
  const tokenId = `refresh-${book.refresh.size + 1}`;
  const token = `xoxe-1-${secret()}`;
  const refresh = { token, tokenId, installation, spentAt: undefined, isRevoked: false };
  book.refresh.set(token, refresh);
  return { access, refresh };
};

/** Kills all tokens of an installation. */
export const killTokens = (
  book: TokenBook,
  installation: Installation,
  answer: DeadAnswer,
): void => {
  for (const token of book.access.values()) {
    if (token.installation === installation) token.dead ??= answer;
  }
  for (const token of book.refresh.values()) {
    if (token.installation === installation) token.isRevoked = true;
  }
};

/** Sets the expiry of the access tokens that have one: of one place, or of all. */
export const expireTokens = (book: TokenBook, at: Date, id?: string): void => {
  for (const token of book.access.values()) {
    const isMeant = id === undefined || placeId(token.installation.place) === id;
    if (isMeant && token.expiresAt !== undefined) token.expiresAt = at.getTime();
  }
};
