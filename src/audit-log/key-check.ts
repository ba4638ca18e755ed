import type { AuditKeys } from './hash-chain.ts';
import { keyChange, provenChange } from './key-change.ts';
import type { KeyHistory } from './key-history.ts';
import type { ChainRow } from './read-chain.ts';

/** A break that says nothing about the entries after it. */
export type KeyGap = { seq: number; text: string };

/**
 * Checks the keys of a team's entries, in order. Before the first change any key that Belay has may
 * sign, as in the versions that had no changes; after it, and in a log that began with a key that a
 * change of other logs had introduced, only the key in force.
 *
 * A lost key is a gap, not the end: what it signed before the first change, and a change without a
 * proof. The entries after the change are checked as usual.
 */
export function createKeyCheck(chainId: string, keys: AuditKeys, history: KeyHistory) {
  const retired = new Map<string, number>();
  let inForce: { id: string; since: number } | undefined;
  let last: { seq: number; keyId: string } | undefined;
  let gap: KeyGap | undefined;
  let verifiedFrom: number | undefined;

  function changeBreak(row: ChainRow): string | undefined {
    const fromId = inForce?.id ?? last?.keyId;
    const change = keyChange.safeParse(JSON.parse(row.facts)).data;
    const text = `entry ${row.seq} changes the key without a proof by the key before it`;
    if (!change || change.from !== fromId || change.to !== row.key_id) return text;
    const canCheck = change.proof !== undefined && keys.byId.has(change.from);
    if (canCheck && !provenChange(row, chainId, keys)) return text;
    if (!canCheck) gap ??= { seq: row.seq, text };
    retired.set(change.from, row.seq);
    if (retired.has(change.to)) {
      return `entry ${row.seq} reuses a key that entry ${retired.get(change.to)} retired`;
    }
    inForce = { id: change.to, since: row.seq };
    if (!canCheck || verifiedFrom === undefined) verifiedFrom = row.seq;
    return undefined;
  }

  function keyBreak({ seq, key_id: id }: ChainRow): string | undefined {
    if (!inForce || id === inForce.id) return undefined;
    const retiredBy = retired.get(id);
    if (retiredBy !== undefined)
      return `entry ${seq} is signed with a key that entry ${retiredBy} retired`;
    return history.retired.has(id)
      ? `entry ${seq} is signed with a key that another log retired`
      : `entry ${seq} isn't signed with the key that entry ${inForce.since} introduced`;
  }

  return {
    /** Only for rows whose signature is valid, or by a key that Belay doesn't have. */
    check(row: ChainRow): string | undefined {
      const isHeld = keys.byId.has(row.key_id);
      const introducedAt = history.introducedAt.get(row.key_id);
      if (!last && introducedAt && row.at >= introducedAt) {
        inForce = { id: row.key_id, since: row.seq };
      }
      const text = `entry ${row.seq} is signed with a key Belay does not have`;
      if (!isHeld && inForce) return text;
      if (!isHeld) gap ??= { seq: row.seq, text };
      const found = isHeld && row.event === 'key_changed' ? changeBreak(row) : keyBreak(row);
      last = { seq: row.seq, keyId: row.key_id };
      return found;
    },

    /** A key change applies to all logs: none may end with a key that no change introduced. */
    findBreak(): string | undefined {
      if (!last) return undefined;
      if (history.retired.has(last.keyId)) {
        return `entry ${last.seq}, the last one, has a key that another log retired`;
      }
      const isKnown = history.introduced.size === 0 || history.introduced.has(last.keyId);
      // A key that Belay doesn't have is reported as that.
      if (isKnown || !keys.byId.has(last.keyId)) return undefined;
      return `entry ${last.seq}, the last one, has a key that no change introduced`;
    },

    /** The first gap, and from which entry on every key is known again. */
    gap: () => gap && { ...gap, verifiedFrom },
  };
}
