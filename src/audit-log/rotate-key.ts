import { type Kysely, sql } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import { insertEntry, lockHead } from './append.ts';
import type { AuditEntry, Operator } from './entry.ts';
import { deriveAuditKeys } from './hash-chain.ts';
import { proveKeyChange } from './key-change.ts';
import { heldKey, readKeyChanges, readKeyId } from './signing-key.ts';
import { readAuditKeys } from './stored-keys.ts';

type KeyRotation = { teamId: string; from: string; seq: number; hash: string };

/**
 * Changes the key that signs the logs of all teams to the key with the id `to`, by one entry in each
 * log: it is signed with the new key and proves that the old one was there. All in one transaction.
 * Logs that the key signs already stay as they are. With `lostKey` the proof of the
 * old key is left out, because the key is lost: every later verification reports that.
 * The new one must be derived from `encryptionKeys`; the old one may be stored.
 * @throws if a key is missing, if the new one signed before and was replaced, or if there is no log.
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
  const key = heldKey(deriveAuditKeys(encryptionKeys), to);
  return db.transaction().execute(async (trx) => {
    // No log may begin meanwhile, with the old key and without a change.
    await sql`lock table audit_log_head in exclusive mode`.execute(trx);
    const teamIds = await listTeams(trx);
    if (teamIds.length === 0) {
      throw new Error(
        'There is no audit log yet: the first key of BELAY_ENCRYPTION_KEYS signs its first entry. Nothing was changed.',
      );
    }
    const keys = await readAuditKeys(trx, encryptionKeys);
    const signing = await listSigningKeys(trx, teamIds);
    if ((await listOldKeys(trx, signing)).has(to)) {
      throw new Error(`The key ${to} was retired and can't sign again: add a new one.`);
    }
    const rotations: KeyRotation[] = [];
    for (const teamId of teamIds) {
      const head = await lockHead(trx, teamId);
      const from = (await readKeyId(trx, teamId)) ?? to;
      if (from === to) continue;
      const place = {
        chain_id: head.chain_id,
        team_id: teamId,
        seq: head.seq + 1,
        previous_hash: head.hash,
        to,
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

async function listTeams(db: Kysely<Tables>): Promise<string[]> {
  const heads = await db
    .selectFrom('audit_log_head')
    .select('team_id')
    .orderBy('team_id')
    .execute();
  return heads.map(({ team_id }) => team_id);
}

/** Keys that may sign next: held, not replaced before, and not what signs every log already. */
export async function listNextKeys(
  db: Kysely<Tables>,
  encryptionKeys: Buffer[],
): Promise<string[]> {
  const signing = await listSigningKeys(db, await listTeams(db));
  const old = await listOldKeys(db, signing);
  const [only, ...others] = signing;
  return [...deriveAuditKeys(encryptionKeys).byId.keys()].filter(
    (id) => !old.has(id) && (others.length > 0 || id !== only),
  );
}

/** Of the last entries of all logs. */
async function listSigningKeys(db: Kysely<Tables>, teamIds: string[]) {
  const signing = new Set<string | undefined>();
  for (const teamId of teamIds) signing.add(await readKeyId(db, teamId));
  return signing;
}

/**
 * Keys that an entry of any log replaced, and keys that signed entries but no last one: earlier
 * versions changed the key without an entry, by the order of the list.
 */
async function listOldKeys(
  db: Kysely<Tables>,
  signing: Set<string | undefined>,
): Promise<Set<string>> {
  const rows = await db.selectFrom('audit_log').select('key_id').distinct().execute();
  const replaced = rows.map(({ key_id }) => key_id).filter((id) => !signing.has(id));
  const retired = (await readKeyChanges(db)).map(({ from }) => from);
  return new Set([...retired, ...replaced]);
}
