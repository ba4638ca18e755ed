import { z } from 'zod';
import { type AuditKey, type AuditKeys, type SignedRow, sign } from './hash-chain.ts';

/** Facts of `key_changed`. The entry itself is signed with the key `to`. */
export const keyChange = z.object({
  from: z.string(),
  to: z.string(),
  /** Signature by the key `from`; missing if that key was lost, which verification reports. */
  proof: z.string().optional(),
});

/** What the key before the change signs: this change at this place of this log, and nothing else. */
type KeyChangePlace = {
  chain_id: string;
  team_id: string;
  seq: number;
  previous_hash: string;
  to: string;
};

/** Signs a change of the key with the key before it. The text is part of every stored proof. */
export function proveKeyChange(from: AuditKey, place: KeyChangePlace): string {
  return sign(from, { ...place, from: from.id, purpose: 'belay audit log key change' });
}

/** The change that the row records, if the key before it proves it. Undefined for a key that is not held. */
export function provenChange(
  row: SignedRow,
  chainId: string,
  keys: AuditKeys,
): { from: string; to: string } | undefined {
  const change = keyChange.safeParse(JSON.parse(row.facts)).data;
  const from = change && keys.byId.get(change.from);
  if (!from || change.to !== row.key_id || change.to === from.id) return undefined;
  const { team_id, seq, previous_hash } = row;
  const place = { chain_id: chainId, team_id, seq, previous_hash, to: change.to };
  return change.proof === proveKeyChange(from, place) ? change : undefined;
}
