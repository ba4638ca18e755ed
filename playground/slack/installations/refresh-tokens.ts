import type { Clock } from '../../../src/clock.ts';
import { type Installation, placeId } from './installation.ts';
import { type IssuedTokens, issueTokens, type RefreshToken, type TokenBook } from './tokens.ts';

/** One exchange of a refresh token. */
export type RefreshRecord = {
  at: Date;
  /** Names the token without being a credential; undefined for one that was never issued. */
  tokenId: string | undefined;
  /** `T…` or `E…`. */
  placeId: string | undefined;
  /** Which exchange of this token it is, refused ones included: 1 for the first. */
  attempt: number;
  result: 'rotated' | 'invalid_refresh_token';
  /** The app's connection, which tells its processes and their restarts apart. */
  remotePort: number | undefined;
};

type Book = {
  tokens: TokenBook;
  clock: Clock;
  refreshes: RefreshRecord[];
  refreshGraceMs: number;
};

const isUsable = ({ clock, refreshGraceMs }: Book, token: RefreshToken): boolean => {
  if (token.isRevoked) return false;
  return token.spentAt === undefined || clock().getTime() < token.spentAt + refreshGraceMs;
};

/**
 * Exchanges a refresh token for a new pair. The access tokens before stay valid until they expire,
 * at most two at a time. https://docs.slack.dev/authentication/using-token-rotation
 */
export const rotate = (
  book: Book,
  refreshToken: string,
  remotePort?: number,
): { installation: Installation; issued: IssuedTokens } | undefined => {
  const token = book.tokens.refresh.get(refreshToken);
  const isRotated = token !== undefined && isUsable(book, token);
  const tokenId = token?.tokenId;
  const before = book.refreshes.filter((one) => tokenId && one.tokenId === tokenId);
  book.refreshes.push({
    at: book.clock(),
    tokenId,
    placeId: token && placeId(token.installation.place),
    attempt: before.length + 1,
    result: isRotated ? 'rotated' : 'invalid_refresh_token',
    remotePort,
  });
  if (!isRotated) return undefined;
  token.spentAt ??= book.clock().getTime();
  const { installation } = token;
  return { installation, issued: issueTokens(book.tokens, installation, book.clock) };
};
