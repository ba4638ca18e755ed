import { type Binding, type Cipher, createCipher } from '../../encryption/cipher.ts';

/** What a token is sealed for: copied to another row or workspace, it can't be opened. */
type SealedFor =
  | { teamId: string; connectionId: string }
  /** Entered on a page, and not part of a connection yet. */
  | { teamId: string; tokenPageId: string }
  /** The link to such a page, which isn't stored. */
  | { link: 'token-page' }
  /** A token of Slack's, of a workspace that may be part of an organization. */
  | { slackToken: 'bot' | 'refresh'; teamId: string; enterpriseId: string | null };

export type TokenCipher = {
  seal: (token: string, place: SealedFor) => string;
  /** Undefined if no configured key opens it, or if it was copied from another row. */
  open: (sealed: string, place: SealedFor) => string | undefined;
  keyOf: Cipher['keyOf'];
};

export function createTokenCipher(keys: Buffer[]): TokenCipher {
  const { seal, open, keyOf } = createCipher(keys);
  return {
    seal: (token, place) => seal(token, tokenBinding(place)),
    open: (sealed, place) => open(sealed, tokenBinding(place)),
    keyOf,
  };
}

/** Part of every sealed token: it must never change. */
export function tokenBinding(place: SealedFor): Binding {
  if ('link' in place) return ['token-page.link'];
  if ('tokenPageId' in place) return ['token-page.token', place.teamId, place.tokenPageId];
  return 'connectionId' in place
    ? ['connection.token', place.teamId, place.connectionId]
    : ['installation', place.slackToken, place.teamId, place.enterpriseId];
}
