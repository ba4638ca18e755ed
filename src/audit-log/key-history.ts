import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { AuditKeys } from './hash-chain.ts';
import { isSigned } from './hash-chain.ts';
import { provenChange } from './key-change.ts';
import { readHead, readKeyChanges } from './read-chain.ts';

/** What the changes in any log did. A key change applies to all logs, but logs created later have no entry for it. */
export type KeyHistory = {
  retired: Set<string>;
  /** Keys that any change introduced, also one without a proof, which its own log's check reports. */
  introduced: Set<string>;
  /** When a proven change first introduced each key. */
  introducedAt: Map<string, Date>;
};

/** Reads one log's changes at a time, so its memory depends on the number of keys alone. */
export async function readKeyHistory(
  db: Kysely<Tables>,
  teamIds: Iterable<string>,
  keys: AuditKeys,
): Promise<KeyHistory> {
  const history: KeyHistory = {
    retired: new Set(),
    introduced: new Set(),
    introducedAt: new Map(),
  };
  for (const teamId of teamIds) {
    const head = await readHead(db, teamId);
    for (const row of head ? await readKeyChanges(db, teamId) : []) {
      const chainId = head?.chain_id ?? '';
      const key = keys.byId.get(row.key_id);
      if (!key || !isSigned(row, key, chainId)) continue;
      history.introduced.add(row.key_id);
      const change = provenChange(row, chainId, keys);
      if (!change) continue;
      history.retired.add(change.from);
      const known = history.introducedAt.get(change.to);
      if (!known || row.at < known) history.introducedAt.set(change.to, row.at);
    }
  }
  return history;
}
