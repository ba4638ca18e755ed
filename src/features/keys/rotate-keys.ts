import { storeUsedKeys } from '../../audit-log/stored-keys.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/tables.ts';
import { createCipher } from '../../encryption/cipher.ts';
import { reencrypt } from '../../encryption/sealed-values.ts';
import type { Logger } from '../../logger.ts';
import {
  type KeyStatus,
  listOtherProcesses,
  listSealedValues,
  readKeyStatus,
} from './read-key-status.ts';

const maxLoggedValues = 20;

/**
 * Returns a function that encrypts everything stored with the first key, and logs once which keys
 * are no longer needed and what can't be decrypted. Re-encrypts only while all running processes
 * encrypt with the same key: a process without that key could no longer open what it needs, and two
 * with another order of the list would undo each other's work forever.
 */
export function createKeyRotation({
  db,
  encryptionKeys,
  clock,
  log,
}: {
  db: Database;
  encryptionKeys: Buffer[];
  clock: Clock;
  log: Logger;
}): (stopping?: AbortSignal) => Promise<void> {
  const cipher = createCipher(encryptionKeys);
  const logged = new Set<string>();
  const logOnce = (key: string, write: () => void) => {
    if (logged.has(key)) return;
    logged.add(key);
    write();
  };

  function logStatus({ older, otherProcesses, unreadable, lostAuditKeys }: KeyStatus): void {
    if (otherProcesses.length > 0) {
      logOnce('waiting', () =>
        log.info(
          { processes: otherProcesses },
          'waiting until all processes encrypt with the same key',
        ),
      );
    } else logged.delete('waiting');
    for (const { id, position } of older.filter(({ isNeeded }) => !isNeeded)) {
      logOnce(id, () =>
        log.info(
          `The key ${id} (number ${position}) is no longer needed: remove it from BELAY_ENCRYPTION_KEYS`,
        ),
      );
    }
    for (const { table, id, teamId } of unreadable.slice(0, maxLoggedValues)) {
      logOnce(id, () => log.error({ table, id, teamId }, "a stored value can't be decrypted"));
    }
    if (unreadable.length > maxLoggedValues) {
      logOnce('more', () =>
        log.error({ count: unreadable.length }, "more stored values can't be decrypted"),
      );
    }
    for (const keyId of lostAuditKeys) {
      logOnce(keyId, () => log.error({ keyId }, "a key of the audit log's entries is missing"));
    }
  }

  return async (stopping) => {
    if ((await listOtherProcesses(db, cipher.currentKeyId, clock())).length === 0) {
      await storeUsedKeys(db, encryptionKeys);
      await reencrypt(listSealedValues(db), cipher, stopping);
    }
    logStatus(await readKeyStatus(db, { encryptionKeys, now: clock() }));
  };
}
