import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertEntry, lockHead } from '../../src/audit-log/append.ts';
import { createCheckpointWriter, readCheckpointFile } from '../../src/audit-log/checkpoint-file.ts';
import { deriveAuditKeys } from '../../src/audit-log/hash-chain.ts';
import { listNextKeys, rotateSigningKey } from '../../src/audit-log/rotate-key.ts';
import { readAuditKeys, readUsedKeys, storeUsedKeys } from '../../src/audit-log/stored-keys.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { createLogger } from '../../src/logger.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { someEntries, writeLog, writeSomeLog } from './logged-team.ts';

const [oldKey, newKey, thirdKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const both = [newKey, oldKey];
const auditKeyOf = (key: Buffer) => deriveAuditKeys([key]).first;
const idOf = (key: Buffer) => auditKeyOf(key).id;

describe.each(databases())('stored keys of the audit log on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  const store = (keys: Buffer[]) => storeUsedKeys(database.db, keys);
  const rotate = (to: Buffer, keys: Buffer[]) =>
    rotateSigningKey(database.db, keys, { to: idOf(to), at: noon, by: { actor: 'U_OPS' } });
  const breaks = async (keys: Buffer[]) => {
    const reports = await verifyAuditLog(database.db, keys, []);
    return reports.map(({ firstBreak }) => firstBreak);
  };
  const set = (id: string, sealed: string) =>
    database.db
      .insertInto('audit_key')
      .values({ id, sealed })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ sealed }))
      .execute();
  /** A value that a person with the encryption key could store. */
  const seal = (secret: Buffer, id: string, key: Buffer) =>
    createCipher([key]).seal(secret.toString('base64url'), ['audit-log.key', id]);

  it('continues and verifies a log without the encryption key that it began with', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 2);
    await store(both);
    await writeLog(database.db, [newKey], someEntries(2, teamId));
    const started = await writeSomeLog(database.db, [newKey], 1);
    expect(await breaks([newKey])).toEqual([undefined, undefined]);
    const used = await readUsedKeys(database.db, [newKey]);
    expect(used).toMatchObject([{ id: idOf(oldKey), isStored: true }]);
    expect(JSON.stringify(used.map(({ sealed }) => sealed))).not.toContain(
      auditKeyOf(oldKey).secret.toString('base64url'),
    );

    const path = join(temporaryFolder(), 'checkpoints.jsonl');
    const { db } = database;
    const log = createLogger('silent');
    await createCheckpointWriter({ db, path, encryptionKeys: [newKey], clock: () => noon, log })();
    const faults: string[] = [];
    const keys = await readAuditKeys(db, [newKey]);
    const seen = [];
    for await (const one of await readCheckpointFile(path, keys, (fault) => faults.push(fault))) {
      seen.push(one.teamId);
    }
    expect({ seen, faults }).toEqual({ seen: [teamId, started].sort(), faults: [] });
  });

  it('proves a change from the stored key, which then stays retired', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 1);
    await store(both);
    expect(await listNextKeys(database.db, [newKey])).toEqual([idOf(newKey)]);
    await rotate(newKey, [newKey]);
    await writeLog(database.db, [newKey], someEntries(1, teamId));
    await store([newKey]);
    expect(await breaks([newKey])).toEqual([undefined]);
    await expect(rotate(oldKey, [newKey])).rejects.toThrow(`lacks the key ${idOf(oldKey)}`);
    await expect(rotate(oldKey, both)).rejects.toThrow(`The key ${idOf(oldKey)} was retired`);
  });

  it('re-encrypts the stored keys with each new encryption key', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 1);
    await store(both);
    await store([thirdKey, newKey]);
    await writeLog(database.db, [thirdKey], someEntries(1, teamId));
    expect(await breaks([thirdKey])).toEqual([undefined]);
    expect(await breaks([newKey])).toEqual(['entry 1 is signed with a key Belay does not have']);
    await expect(writeLog(database.db, [newKey], someEntries(1, teamId))).rejects.toThrow(
      `BELAY_ENCRYPTION_KEYS lacks the key ${idOf(oldKey)}, which signs the audit log`,
    );
  });

  it('stores a derived key again if its copy can no longer be decrypted', async () => {
    await writeSomeLog(database.db, [oldKey], 1);
    await store([thirdKey, oldKey]);
    await store(both);
    expect(await readUsedKeys(database.db, [newKey])).toMatchObject([{ isStored: true }]);
  });

  it('accepts a copy only under the id of its key', async () => {
    await writeSomeLog(database.db, [oldKey], 1);
    await store(both);
    const [copy] = await readUsedKeys(database.db, [newKey]);
    await set('0123456789abcdef', copy?.sealed ?? '');
    await set('fedcba9876543210', seal(randomBytes(32), 'fedcba9876543210', newKey));
    await set(idOf(thirdKey), 'v1.nonsense');
    const used = await readUsedKeys(database.db, [newKey]);
    const opened = used.filter(({ secret }) => secret).map(({ id }) => id);
    expect(opened).toEqual([idOf(oldKey)]);
  });

  it('does not accept a key that somebody with a leaked encryption key added', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 1);
    const stranger = randomBytes(32);
    const { id, secret } = auditKeyOf(stranger);
    await set(id, seal(secret, id, oldKey));
    await store(both);
    await rotate(newKey, both);

    // A log that is replaced by one that only the added key signed.
    const forged = newTeamId();
    await database.db.transaction().execute(async (trx) => {
      const head = await lockHead(trx, forged);
      const [entry] = someEntries(1, forged);
      if (entry) await insertEntry(trx, { head, key: auditKeyOf(stranger), entry });
    });
    const reports = await verifyAuditLog(database.db, [newKey], []);
    const breakOf = (team: string) => reports.find((one) => one.teamId === team)?.firstBreak;
    expect(breakOf(forged)).toBe('entry 1, the last one, has a key that no change introduced');
    expect(breakOf(teamId)).toBeUndefined();
    await expect(writeLog(database.db, [newKey], someEntries(1, forged))).rejects.toThrow(
      `ends with an entry signed with a key that no change introduced, ${id}`,
    );
  });
});
