import type { Clock } from '../../../src/clock.ts';
import { type Installation, targetId } from './installation.ts';
import { type IssuedTokens, issueTokens, type TokenBook } from './tokens.ts';

/** One exchange of a refresh token. */
export type RefreshRecord = {
  at: Date;
  /** Names the token without being a credential; undefined for one that was never issued. */
  tokenId: string | undefined;
  /** `T…` or `E…`. */
  targetId: string | undefined;
  /** Which exchange of this token it is, refused ones included: 1 for the first. */
  attempt: number;
  result: 'rotated' | 'invalid_refresh_token';
};

type Book = { tokens: TokenBook; clock: Clock; refreshes: RefreshRecord[] };

/**
 * Exchanges a refresh token for a new pair. The access tokens before stay valid until they expire,
 * at most two at a time. Slack documents a short grace period for the refresh token, of no stated
 * length; here there is none, which is the worst case for an app. https://docs.slack.dev/authentication/using-token-rotation
 */
export const rotate = (
  book: Book,
  refreshToken: string,
): { installation: Installation; issued: IssuedTokens } | undefined => {
  const token = book.tokens.refresh.get(refreshToken);
  const isRotated = token?.isUsable === true;
  const tokenId = token?.tokenId;
  const before = book.refreshes.filter((one) => tokenId && one.tokenId === tokenId);
  book.refreshes.push({
    at: book.clock(),
    tokenId,
    targetId: token && targetId(token.installation.target),
    attempt: before.length + 1,
    result: isRotated ? 'rotated' : 'invalid_refresh_token',
  });
  if (!isRotated) return undefined;
  token.isUsable = false;
  const { installation } = token;
  return { installation, issued: issueTokens(book.tokens, installation, book.clock) };
};
