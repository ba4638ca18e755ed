import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { deriveAuditKeys } from '../../../src/audit-log/hash-chain.ts';
import { rotateSigningKey } from '../../../src/audit-log/rotate-key.ts';
import { encryptionKeyId } from '../../../src/encryption/cipher.ts';
import { checkKeys } from '../../../src/features/doctor/checks/check-keys.ts';
import { joinReplicas } from '../../../src/replicas/index.ts';
import { someEntries, writeLog } from '../../audit-log/logged-team.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { noon } from '../approvals/store/rows.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const auditId = (key: Buffer) => deriveAuditKeys([key]).first.id;

async function open() {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const check = (...encryptionKeys: Buffer[]) =>
    checkKeys({ db, teamId: 'T1', encryptionKeys, now: noon });
  return { db, check };
}

it('says which entries of the audit log need a key that is missing', async () => {
  const { db, check } = await open();
  await writeLog(db, [oldKey], someEntries(3, 'T1'));
  expect(await check(oldKey)).toMatchObject([{ severity: 'ok' }]);
  expect(await check(newKey)).toMatchObject([
    {
      severity: 'problem',
      text: `The audit log is signed with the key \`${auditId(oldKey)}\`, which Belay doesn't have, so Belay refuses all decisions.`,
    },
  ]);
  const by = { actor: 'U_OPS' };
  await rotateSigningKey(db, [newKey, oldKey], { to: auditId(newKey), at: noon, by });
  expect(await check(newKey)).toMatchObject([
    {
      severity: 'warning',
      text: `3 entries of the audit log, from 1 to 3, can't be verified: Belay doesn't have the key \`${auditId(oldKey)}\`.`,
    },
  ]);
});

it('says that processes encrypt with different keys', async () => {
  const { db, check } = await open();
  await joinReplicas(db, {
    ...{ id: 'other', version: '1.0.0', clock: () => noon },
    encryptionKeyId: encryptionKeyId(oldKey),
  });
  expect(await check(newKey, oldKey)).toMatchObject([
    {
      severity: 'warning',
      text: "Some processes encrypt with another key: `other`. Belay doesn't re-encrypt anything meanwhile.",
      remedy: 'Set the same `BELAY_ENCRYPTION_KEYS` for every process and restart.',
    },
    {
      severity: 'ok',
      text: `The key \`${encryptionKeyId(oldKey)}\` (number 2 in the list) is still needed until Belay has re-encrypted everything.`,
    },
  ]);
});
