import { deriveAuditKeys } from '../../audit-log/hash-chain.ts';
import { readUsedKeys } from '../../audit-log/stored-keys.ts';
import type { Database } from '../../database/tables.ts';
import { createCipher, encryptionKeyId, sealingKeyId } from '../../encryption/cipher.ts';
import { findOutdated, type SealedValues } from '../../encryption/sealed-values.ts';
import { listReplicas } from '../../replicas/replicas.ts';
import { sealedTokens } from '../../workspace/store/sealed-tokens.ts';
import { sealedInstallationTokens } from '../installations/index.ts';

/** Everything that Belay stores encrypted, besides the keys of the audit log. */
export function listSealedValues(db: Database): SealedValues[] {
  return [...sealedTokens(db), ...sealedInstallationTokens(db)];
}

/** One of the encryption keys after the first. `position` counts from 1. */
type OlderKey = { id: string; position: number; isNeeded: boolean };

type UnreadableValue = {
  table: string;
  id: string;
  teamId: string;
  name: string;
  remedy: string;
};

/** What the configured encryption keys are still needed for, and what they can't open. */
export type KeyStatus = {
  older: OlderKey[];
  /** Running processes that encrypt with another key than this one. */
  otherProcesses: string[];
  unreadable: UnreadableValue[];
  /** Ids of keys that signed entries of any log and that Belay doesn't have. */
  lostAuditKeys: string[];
};

export async function readKeyStatus(
  db: Database,
  { encryptionKeys, now }: { encryptionKeys: Buffer[]; now: Date },
): Promise<KeyStatus> {
  const cipher = createCipher(encryptionKeys);
  const otherProcesses = await listOtherProcesses(db, cipher.currentKeyId, now);
  const needed = new Set<string | undefined>();
  const unreadable: UnreadableValue[] = [];
  for await (const { value, source, text } of findOutdated(listSealedValues(db), cipher)) {
    const { id, teamId, name } = value;
    if (text !== undefined) needed.add(sealingKeyId(value.sealed));
    else unreadable.push({ id, teamId, name, table: source.table, remedy: source.remedy });
  }
  const usedKeys = await readUsedKeys(db, encryptionKeys);
  const waiting = usedKeys.filter(({ isStored, secret }) => secret && !isStored);
  for (const { sealed } of waiting) needed.add(sealingKeyId(sealed ?? ''));
  const derivesWaiting = (key: Buffer) =>
    waiting.some(({ id }) => id === deriveAuditKeys([key]).first.id);
  return {
    older: encryptionKeys.slice(1).flatMap((key, index) => {
      const id = encryptionKeyId(key);
      // The first key, listed twice.
      if (id === cipher.currentKeyId) return [];
      const isNeeded = otherProcesses.length > 0 || needed.has(id) || derivesWaiting(key);
      return { id, position: index + 2, isNeeded };
    }),
    otherProcesses,
    unreadable,
    lostAuditKeys: usedKeys.filter(({ secret }) => !secret).map(({ id }) => id),
  };
}

/** A process that was killed counts for a few more seconds. */
export async function listOtherProcesses(
  db: Database,
  encryptionKeyId: string,
  now: Date,
): Promise<string[]> {
  const replicas = await listReplicas(db, now);
  return replicas
    .filter((replica) => replica.isLive && replica.encryptionKeyId !== encryptionKeyId)
    .map(({ id }) => id);
}
