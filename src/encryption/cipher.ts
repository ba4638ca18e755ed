import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** What a text is sealed for, its purpose first: sealed for anything else, it can't be opened. */
export type Binding = readonly [purpose: string, ...ids: (string | null)[]];

export type Cipher = {
  /** Names the key that seals. */
  currentKeyId: string;
  /** All keys, in the order of the list. */
  keyIds: string[];
  seal: (text: string, binding: Binding) => string;
  /** Undefined if no configured key opens it, or if it was sealed for something else. */
  open: (sealed: string, binding: Binding) => string | undefined;
  /** Which of the configured keys sealed it; whether it opens is another question. */
  keyOf: (sealed: string) => SealingKey;
};

type SealingKey = 'current-key' | 'older-key' | 'unknown-key';

const algorithm = 'aes-256-gcm';
const version = 'v1';

/** AES-256-GCM. The first key seals, every key opens, so that keys can be rotated. */
export function createCipher(keys: Buffer[]): Cipher {
  const named = keys.map((key) => ({ key, id: encryptionKeyId(key) }));
  const [current] = named;
  if (!current) throw new Error('no encryption key');

  return {
    currentKeyId: current.id,
    keyIds: named.map(({ id }) => id),

    seal(text, binding) {
      const iv = randomBytes(12);
      const cipher = createCipheriv(algorithm, current.key, iv).setAAD(boundTo(binding));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
      return [version, current.id, ...parts].join('.');
    },

    keyOf(text) {
      const id = sealingKeyId(text);
      if (id === current.id) return 'current-key';
      return named.some((candidate) => candidate.id === id) ? 'older-key' : 'unknown-key';
    },

    open(text, binding) {
      const [format, id, ...parts] = text.split('.');
      const [iv, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64url'));
      const key = named.find((candidate) => candidate.id === id)?.key;
      if (format !== version || !key || !iv || !tag || !sealed) return undefined;
      try {
        const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: 16 });
        decipher.setAAD(boundTo(binding)).setAuthTag(tag);
        return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Identifies a key without revealing it. */
export function encryptionKeyId(key: Buffer): string {
  return createHash('sha256').update('belay key id').update(key).digest('hex').slice(0, 8);
}

/** The key ID stored in the sealed text; not verified. */
export function sealingKeyId(sealed: string): string | undefined {
  return sealed.split('.')[1];
}

/** What every text that the key sealed begins with. */
export function sealedPrefix(keyId: string): string {
  return `${version}.${keyId}.`;
}

function boundTo(binding: Binding): Buffer {
  return Buffer.from(JSON.stringify(binding));
}
