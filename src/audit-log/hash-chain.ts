import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Selectable } from 'kysely';
import { canonicalText } from '../database/canonical-text.ts';
import type { AuditLogTable } from './tables.ts';

/** A key that signs entries; `id` names it without revealing it. */
export type AuditKey = { id: string; secret: Buffer };

/** All verify. Which one signs is in the log; the first one starts the first log. */
export type AuditKeys = { first: AuditKey; byId: Map<string, AuditKey> };

/**
 * Derives the signing keys from those that encrypt tokens, so that neither use weakens the other.
 * The strings here and below are part of every stored hash: they must never change.
 */
export function deriveAuditKeys(encryptionKeys: Buffer[]): AuditKeys {
  const keys = encryptionKeys.map((key) => {
    const secret = Buffer.from(hkdfSync('sha256', key, '', 'belay decision log', 32));
    return { id: auditKeyId(secret), secret };
  });
  const [first] = keys;
  if (!first) throw new Error('no encryption key');
  return { first, byId: new Map(keys.map((key) => [key.id, key])) };
}

export function auditKeyId(secret: Buffer): string {
  const hash = createHash('sha256').update('belay log key id').update(secret).digest('hex');
  return hash.slice(0, 16);
}

/** A row as it is signed: every column but the signature, and `facts` as the exact stored text. */
export type UnsignedRow = Omit<Selectable<AuditLogTable>, 'facts' | 'hash'> & { facts: string };

export type SignedRow = UnsignedRow & { hash: string };

/** The first `previous_hash`. The chain's id distinguishes a log from one that was started over. */
export function genesisHash(chain: { chainId: string; teamId: string }): string {
  return sha256(canonicalText(['belay decision log', chain.chainId, chain.teamId]));
}

export function rowHash(key: AuditKey, chainId: string, row: UnsignedRow): string {
  const { at, ...columns } = row;
  return sign(key, { ...columns, at: at.toISOString(), chain_id: chainId });
}

/** Whether Belay signed the row with the key. */
export function isSigned({ hash, ...row }: SignedRow, key: AuditKey, chainId: string): boolean {
  try {
    return rowHash(key, chainId, row) === hash;
  } catch {
    // A value that Belay can't have written, such as an infinite time.
    return false;
  }
}

/** The salt is erased with the text, so that nobody can guess an erased text and check the guess. */
export function personalDigest({ salt, text }: { salt: string; text: string }): string {
  return sha256(canonicalText([salt, text]));
}

/** HMAC-SHA256 of the value's canonical JSON. */
export function sign(key: AuditKey, value: Record<string, unknown>): string {
  return createHmac('sha256', key.secret).update(canonicalText(value)).digest('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
