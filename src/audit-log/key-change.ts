import { z } from 'zod';
import { type AuditKey, type AuditKeys, sign } from './hash-chain.ts';
import type { ChainRow } from './read-chain.ts';

/** Facts of `key_changed`. The entry itself is signed with the key `to`. */
export const keyChange = z.object({
  from: z.string(),
  to: z.string(),
  /** Signature by the key `from`; missing if that key was lost, which verification reports. */
  proof: z.string().optional(),
});

/** What the key before the change signs: this change at this place of this log, and nothing else. */
export type KeyChangePlace = {
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

/**
 * Checks the keys of a team's entries, in order. Before the first change any key that Belay has may
 * sign, as in the versions that had no changes; after it only the key in force.
 */
export function createKeyCheck(chainId: string, keys: AuditKeys) {
  const retired = new Map<string, number>();
  let inForce: { id: string; since: number } | undefined;
  let previousId: string | undefined;

  function changeBreak(row: ChainRow): string | undefined {
    const change = keyChange.safeParse(JSON.parse(row.facts)).data;
    const fromId = inForce?.id ?? previousId;
    const from = fromId === undefined ? undefined : keys.byId.get(fromId);
    if (!change || !from || change.from !== fromId || change.to !== row.key_id) {
      return `entry ${row.seq} changes the key without a proof by the key before it`;
    }
    const { team_id, seq, previous_hash } = row;
    const place = { chain_id: chainId, team_id, seq, previous_hash, to: change.to };
    if (change.proof !== proveKeyChange(from, place)) {
      return `entry ${row.seq} changes the key without a proof by the key before it`;
    }
    retired.set(from.id, row.seq);
    if (retired.has(change.to)) {
      return `entry ${row.seq} brings back a key that entry ${retired.get(change.to)} retired`;
    }
    inForce = { id: change.to, since: row.seq };
    return undefined;
  }

  return {
    /** Only for rows whose signature is valid. */
    check(row: ChainRow): string | undefined {
      if (row.event === 'key_changed') return changeBreak(row);
      previousId = row.key_id;
      if (!inForce || row.key_id === inForce.id) return undefined;
      const retiredBy = retired.get(row.key_id);
      return retiredBy === undefined
        ? `entry ${row.seq} is signed with another key than entry ${inForce.since} introduced`
        : `entry ${row.seq} is signed with a key that entry ${retiredBy} retired`;
    },
  };
}
