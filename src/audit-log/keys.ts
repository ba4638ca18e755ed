import { createHash, hkdfSync } from 'node:crypto';

/** One of the keys that sign the log; `id` tells it from the others without telling it. */
export type LogKey = { id: string; secret: Buffer };

/** The first signs, all verify, so that keys can be rotated. */
export type LogKeys = { current: LogKey; byId: Map<string, LogKey> };

/** The log's own keys, drawn from those that seal tokens: neither use weakens the other. */
export function deriveLogKeys(encryptionKeys: Buffer[]): LogKeys {
  const keys = encryptionKeys.map((key) => {
    const secret = Buffer.from(hkdfSync('sha256', key, '', 'belay decision log', 32));
    const id = createHash('sha256').update('belay log key id').update(secret).digest('hex');
    return { id: id.slice(0, 16), secret };
  });
  const [current] = keys;
  if (!current) throw new Error('no encryption key');
  return { current, byId: new Map(keys.map((key) => [key.id, key])) };
}
