import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** What a token is sealed for: copied to another row or workspace, it can't be opened. */
export type SealedFor =
  | { teamId: string; connectionId: string }
  /** A token of Slack's. An organization's has no team. */
  | { slackToken: 'bot' | 'refresh'; teamId: string | null; enterpriseId: string | null };

export type TokenCipher = {
  seal: (token: string, place: SealedFor) => string;
  /** Undefined if no configured key opens it, or if it was copied from another row. */
  open: (sealed: string, place: SealedFor) => string | undefined;
  /** Which of the configured keys sealed it; whether it opens is another question. */
  keyOf: (sealed: string) => SealingKey;
};

export type SealingKey = 'current-key' | 'older-key' | 'unknown-key';

const algorithm = 'aes-256-gcm';

/** AES-256-GCM. The first key seals, every key opens, so that keys can be rotated. */
export function createTokenCipher(keys: Buffer[]): TokenCipher {
  const named = keys.map((key) => ({ key, id: keyId(key) }));
  const [current] = named;
  if (!current) throw new Error('no encryption key');

  return {
    seal(token, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv(algorithm, current.key, iv).setAAD(boundTo(place));
      const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
      const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
      return ['v1', current.id, ...parts].join('.');
    },

    keyOf(text) {
      const [, id] = text.split('.');
      if (id === current.id) return 'current-key';
      return named.some((candidate) => candidate.id === id) ? 'older-key' : 'unknown-key';
    },

    open(text, place) {
      const [version, id, ...parts] = text.split('.');
      const [iv, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64url'));
      const key = named.find((candidate) => candidate.id === id)?.key;
      if (version !== 'v1' || !key || !iv || !tag || !sealed) return undefined;
      try {
        const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: 16 });
        decipher.setAAD(boundTo(place)).setAuthTag(tag);
        return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Identifies a key without revealing it. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('belay key id').update(key).digest('hex').slice(0, 8);
}

function boundTo(place: SealedFor): Buffer {
  const names =
    'connectionId' in place
      ? ['connection.token', place.teamId, place.connectionId]
      : ['installation', place.slackToken, place.teamId, place.enterpriseId];
  return Buffer.from(JSON.stringify(names));
}
