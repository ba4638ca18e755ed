import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { type Binding, createCipher } from '../encryption/cipher.ts';
import { type AuditKeys, auditKeyId, deriveAuditKeys } from './hash-chain.ts';

/**
 * The keys that signed entries are stored, each encrypted, so that an encryption key can leave the
 * list and what was signed with the key derived from it still verifies and continues.
 */

/** A key that signed entries. */
type UsedKey = {
  id: string;
  /** The encrypted copy; null before one was stored. */
  sealed: string | null;
  /** Undefined if the key is lost: neither derived from an encryption key, nor opened from its copy. */
  secret: Buffer | undefined;
  /** Whether the copy opens with the first encryption key, so that no other one is needed. */
  isStored: boolean;
};

/** Part of every stored copy: it must never change. */
const bindingOf = (id: string): Binding => ['audit-log.key', id];

export async function readUsedKeys(
  db: Kysely<Tables>,
  encryptionKeys: Buffer[],
): Promise<UsedKey[]> {
  const cipher = createCipher(encryptionKeys);
  const derived = deriveAuditKeys(encryptionKeys).byId;
  const rows = await db.selectFrom('audit_key').selectAll().execute();
  const recorded = new Set(rows.map(({ id }) => id));
  const others = (await listLastKeys(db)).filter((id) => !recorded.has(id));
  const used = [...rows, ...others.map((id) => ({ id, sealed: null }))];
  return used.map(({ id, sealed }) => {
    const opened = sealed === null ? undefined : cipher.open(sealed, bindingOf(id));
    const stored = opened === undefined ? undefined : Buffer.from(opened, 'base64url');
    const copy = stored && auditKeyId(stored) === id ? stored : undefined;
    const isStored = copy !== undefined && cipher.keyOf(sealed ?? '') === 'current-key';
    return { id, sealed, secret: derived.get(id)?.secret ?? copy, isStored };
  });
}

/**
 * The keys of the last entries of all logs. A process of a version that doesn't record what signs can
 * have begun a log, or changed its key.
 */
async function listLastKeys(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct last.key_id as id from audit_log_head as head cross join lateral (
      select key_id from audit_log where team_id = head.team_id order by seq desc limit 1
    ) as last`.execute(db);
  return rows.map(({ id }) => id);
}

/** All keys that Belay has: those derived from the encryption keys, and those stored. */
export async function readAuditKeys(
  db: Kysely<Tables>,
  encryptionKeys: Buffer[],
): Promise<AuditKeys> {
  const keys = deriveAuditKeys(encryptionKeys);
  for (const { id, secret } of await readUsedKeys(db, encryptionKeys)) {
    if (secret) keys.byId.set(id, { id, secret });
  }
  return keys;
}

/** Returns a function that gives these keys from memory, and reads again when one is missing. */
export function createKeyring(
  encryptionKeys: Buffer[],
): (db: Kysely<Tables>, ids: (string | null)[]) => Promise<AuditKeys> {
  let keys = deriveAuditKeys(encryptionKeys);
  return async (db, ids) => {
    if (ids.some((id) => id !== null && !keys.byId.has(id))) {
      keys = await readAuditKeys(db, encryptionKeys);
    }
    return keys;
  };
}

/** Stores every used key encrypted with the first encryption key. Any number of processes can do it. */
export async function storeUsedKeys(db: Kysely<Tables>, encryptionKeys: Buffer[]): Promise<void> {
  const cipher = createCipher(encryptionKeys);
  for (const { id, sealed, secret, isStored } of await readUsedKeys(db, encryptionKeys)) {
    if (isStored || !secret) continue;
    await recordUse(db, id);
    await db
      .updateTable('audit_key')
      .set({ sealed: cipher.seal(secret.toString('base64url'), bindingOf(id)) })
      .where('id', '=', id)
      .where('sealed', 'is not distinct from', sealed)
      .execute();
  }
}

/** Records that the key signs entries; the copy is stored later. */
export async function recordUse(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .insertInto('audit_key')
    .values({ id, sealed: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
