import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { deriveAuditKeys } from '../../src/audit-log/hash-chain.ts';
import { rotateSigningKey } from '../../src/audit-log/rotate-key.ts';
import { storeUsedKeys } from '../../src/audit-log/stored-keys.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import { migrate } from '../../src/database/migrate.ts';
import { someEntries, writeLog } from '../audit-log/logged-team.ts';
import { oldDatabases } from '../database/old-database.ts';
import { noon } from '../features/approvals/store/rows.ts';
import { readCheckpoints } from '../support/read-checkpoints.ts';
import { insertOldRows, left } from './old-version.ts';

it.each(oldDatabases('007_failed_edits'))(
  'the key of a log of the earlier version can be changed and removed on $name',
  async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(close);
    await insertOldRows(db, (text) => text);
    await migrate(db);
    const oldKey = Buffer.from(left.encryptionKeys, 'base64');
    const newKey = randomBytes(32);
    const keys = [newKey, oldKey];
    const { checkpoints } = await readCheckpoints(fileURLToPath(left.checkpointFile), keys);
    const before = await verifyAuditLog(db, keys, checkpoints);
    expect(before.map(({ firstBreak }) => firstBreak)).toEqual([undefined]);
    const { teamId = '', entries = 0 } = before[0] ?? {};

    const to = deriveAuditKeys([newKey]).first.id;
    await rotateSigningKey(db, keys, { to, at: noon, by: { actor: 'U_OPS' } });
    await storeUsedKeys(db, keys);
    await writeLog(db, [newKey], someEntries(1, teamId));
    expect(await verifyAuditLog(db, [newKey], checkpoints)).toEqual([
      expect.objectContaining({ entries: entries + 2, keyId: to, firstBreak: undefined }),
    ]);
  },
);
