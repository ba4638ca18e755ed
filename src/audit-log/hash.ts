import { createHash, createHmac } from 'node:crypto';
import type { Selectable } from 'kysely';
import { canonicalText } from '../database/canonical-text.ts';
import type { AuditLogTable } from '../database/tables.ts';
import type { LogKey } from './keys.ts';

/** A row as it is signed: every column but the signature, and facts to the letter. */
export type UnsignedRow = Omit<Selectable<AuditLogTable>, 'facts' | 'hash'> & { facts: string };

export type SignedRow = UnsignedRow & { hash: string };

/** Where a team's chain begins. The chain's id tells a log that was begun anew from the one before. */
export function genesisHash(chain: { chainId: string; teamId: string }): string {
  return sha256(canonicalText(['belay decision log', chain.chainId, chain.teamId]));
}

export function rowHash(key: LogKey, chainId: string, row: UnsignedRow): string {
  const { at, ...columns } = row;
  return sign(key, { ...columns, at: at.toISOString(), chain_id: chainId });
}

/** Without the salt, which goes with the text, nobody can try out which text it was. */
export function personalDigest({ salt, text }: { salt: string; text: string }): string {
  return sha256(canonicalText([salt, text]));
}

/** HMAC-SHA256 of the value's one spelling. */
export function sign(key: LogKey, value: Record<string, unknown>): string {
  return createHmac('sha256', key.secret).update(canonicalText(value)).digest('hex');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
