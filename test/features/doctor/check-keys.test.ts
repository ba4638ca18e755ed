import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { deriveAuditKeys } from '../../../src/audit-log/hash-chain.ts';
import { rotateSigningKey } from '../../../src/audit-log/rotate-key.ts';
import { encryptionKeyId } from '../../../src/encryption/cipher.ts';
import { checkKeys } from '../../../src/features/doctor/checks/check-keys.ts';
import { joinReplicas } from '../../../src/replicas/replicas.ts';
import { someEntries, writeLog } from '../../audit-log/logged-team.ts';
import { noon } from '../../requests/store/rows.ts';
import { openAnyDatabase } from '../../support/databases.ts';

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
      text: `Belay refuses all decisions, because it doesn't have the signing key of the audit log, \`${auditId(oldKey)}\`.`,
    },
  ]);
  const by = { actor: 'U_OPS' };
  await rotateSigningKey(db, [newKey, oldKey], { to: auditId(newKey), at: noon, by });
  expect(await check(newKey)).toMatchObject([
    {
      severity: 'warning',
      text: `3 entries of the audit log can't be verified (first: 1, last: 3): Belay doesn't have the signing key \`${auditId(oldKey)}\`.`,
    },
  ]);
});

it('says that processes encrypt with different keys', async () => {
  const { db, check } = await open();
  await joinReplicas(db, {
    id: 'other',
    version: '1.0.0',
    clock: () => noon,
    encryptionKeyId: encryptionKeyId(oldKey),
  });
  expect(await check(newKey, oldKey)).toMatchObject([
    {
      severity: 'warning',
      text: "These processes encrypt with a different key: `other`. Belay won't re-encrypt anything until all processes use the same key.",
      remedy: 'Set the same `BELAY_ENCRYPTION_KEYS` for every process and restart.',
    },
    {
      severity: 'ok',
      text: `The key \`${encryptionKeyId(oldKey)}\` (number 2 in the list) is still needed until Belay has re-encrypted everything.`,
    },
  ]);
});
