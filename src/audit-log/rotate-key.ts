import type { Kysely } from 'kysely';
import type { Database } from '../database/open-database.ts';
import type { Tables } from '../database/tables.ts';
import { insertEntry, lockHead } from './append.ts';
import type { AuditEntry, Operator } from './entry.ts';
import { deriveAuditKeys } from './hash-chain.ts';
import { keyChange, proveKeyChange } from './key-change.ts';
import { heldKey, readKeyId } from './signing-key.ts';

export type KeyRotation = { teamId: string; from: string; seq: number; hash: string };

/**
 * Changes the key that signs the logs of all teams to the key with the id `to`, by one entry in each
 * log: it is signed with the new key and proves that the old one was there. All in one transaction.
 * Logs that the key signs already stay as they are. `lostKey` does without the proof of a key that
 * nobody has any more: verification reports it for good.
 * @throws if a key is missing, or if a log has retired the new one.
 */
export async function rotateSigningKey(
  db: Database,
  encryptionKeys: Buffer[],
  {
    to,
    at,
    by,
    lostKey = false,
  }: { to: string; at: Date; by: Operator; lostKey?: boolean | undefined },
): Promise<KeyRotation[]> {
  const keys = deriveAuditKeys(encryptionKeys);
  const key = heldKey(keys, to);
  return db.transaction().execute(async (trx) => {
    if ((await listRetiredKeys(trx)).has(to)) {
      throw new Error(`The key ${to} was retired and can't sign again: add a new one.`);
    }
    const rotations: KeyRotation[] = [];
    for (const teamId of await listTeams(trx)) {
      const head = await lockHead(trx, teamId);
      const from = (await readKeyId(trx, teamId)) ?? to;
      if (from === to) continue;
      const place = {
        ...{ chain_id: head.chain_id, team_id: teamId, seq: head.seq + 1 },
        ...{ previous_hash: head.hash, to },
      };
      const isLost = lostKey && !keys.byId.has(from);
      const proof = isLost ? {} : { proof: proveKeyChange(heldKey(keys, from), place) };
      const facts = { from, to, ...proof };
      const entry: AuditEntry = { ...by, teamId, at, event: 'key_changed', facts };
      rotations.push({ teamId, from, ...(await insertEntry(trx, { head, key, entry })) });
    }
    return rotations;
  });
}

/** In one order, so that two changes at once don't wait for each other's locks. */
async function listTeams(db: Kysely<Tables>): Promise<string[]> {
  const heads = await db
    .selectFrom('audit_log_head')
    .select('team_id')
    .orderBy('team_id')
    .execute();
  return heads.map(({ team_id }) => team_id);
}

/** Keys that may sign next: held, not retired by any log, and not what signs every log already. */
export async function listNextKeys(
  db: Kysely<Tables>,
  encryptionKeys: Buffer[],
): Promise<string[]> {
  const retired = await listRetiredKeys(db);
  const signing = new Set<string | undefined>();
  for (const teamId of await listTeams(db)) signing.add(await readKeyId(db, teamId));
  const [only, ...others] = signing;
  return [...deriveAuditKeys(encryptionKeys).byId.keys()].filter(
    (id) => !retired.has(id) && (others.length > 0 || id !== only),
  );
}

/** Keys that an entry of any log replaced. */
async function listRetiredKeys(db: Kysely<Tables>): Promise<Set<string>> {
  const changes = await db
    .selectFrom('audit_log')
    .select('facts')
    .where('event', '=', 'key_changed')
    .execute();
  return new Set(changes.flatMap(({ facts }) => keyChange.safeParse(facts).data?.from ?? []));
}
