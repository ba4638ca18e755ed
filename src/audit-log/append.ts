import { randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { canonicalText, storable, storableValues } from '../database/canonical-text.ts';
import type { Tables } from '../database/tables.ts';
import { type AuditEntry, isPrivateId } from './entry.ts';
import {
  type AuditKey,
  genesisHash,
  personalDigest,
  rowHash,
  type UnsignedRow,
} from './hash-chain.ts';
import { hasKeyChange, heldKey, readKeyChanges, readSigningKeyId } from './signing-key.ts';
import { createKeyring, recordUse } from './stored-keys.ts';

/** Appends an entry to its team's chain, in the transaction of the change that it records. */
export type AppendEntry = (trx: Transaction<Tables>, entry: AuditEntry) => Promise<void>;

/**
 * The only way to write the audit log. Appending locks the team's chain until the transaction ends, so
 * append last; other teams do not wait. Signs with the key in force according to the log.
 * @throws if that key is neither derived from `encryptionKeys` nor stored, or if it was retired or
 * never introduced by a change while others were: then somebody else signed.
 */
export function createAppendEntry(encryptionKeys: Buffer[]): AppendEntry {
  const keyring = createKeyring(encryptionKeys);
  /** By team: the end of the log when its key was last checked. */
  const checked = new Map<string, { seq: number; keyId: string }>();

  /**
   * Reads the changes in all logs only where the key can have changed since this process last looked,
   * because there is no index of the changes: at its first entry in a log, after another key, and after
   * a change among the entries that other processes have added.
   */
  async function refuseOtherKey(
    trx: Transaction<Tables>,
    { teamId, seq, keyId }: { teamId: string; seq: number; keyId: string },
  ) {
    const last = checked.get(teamId);
    const isUnchanged =
      last?.keyId === keyId &&
      (seq - last.seq <= 1 || !(await hasKeyChange(trx, teamId, { after: last.seq })));
    const changes = isUnchanged ? [] : await readKeyChanges(trx);
    const isRetired = changes.some(({ from }) => from === keyId);
    if (isRetired || (changes.length > 0 && !changes.some(({ to }) => to === keyId))) {
      const key = isRetired ? 'the retired key' : 'a key that no change introduced,';
      throw new Error(
        `the audit log of ${teamId} ends with an entry signed with ${key} ${keyId}, so Belay doesn't continue it: run audit verify`,
      );
    }
    // Of the entry before: this one may still be rolled back.
    checked.set(teamId, { seq, keyId });
  }

  return async (trx, entry) => {
    const head = await lockHead(trx, entry.teamId);
    const keyId = await readSigningKeyId(trx, entry.teamId);
    const keys = await keyring(trx, [keyId ?? null]);
    const key = keyId === undefined ? keys.first : heldKey(keys, keyId);
    await refuseOtherKey(trx, { teamId: entry.teamId, seq: head.seq, keyId: key.id });
    await insertEntry(trx, { head, key, entry });
  };
}

/**
 * Defers what `change` appends to the end of the transaction. Statements after an entry could otherwise
 * wait for locks of a transaction that waits for the log.
 */
export async function appendLast<Result>(
  trx: Transaction<Tables>,
  append: AppendEntry,
  change: (append: AppendEntry) => Promise<Result>,
): Promise<Result> {
  const entries: AuditEntry[] = [];
  const result = await change(async (_, entry) => void entries.push(entry));
  for (const entry of entries) await append(trx, entry);
  return result;
}

/** The end of a team's chain, locked until the transaction ends. */
type LockedHead = { chain_id: string; seq: number; hash: string };

/** Inserts the entry after `head`, signed with `key`. Resolves to its number and its hash. */
export async function insertEntry(
  trx: Transaction<Tables>,
  { head, key, entry }: { head: LockedHead; key: AuditKey; entry: AuditEntry },
): Promise<{ seq: number; hash: string }> {
  const seq = head.seq + 1;
  const personal =
    entry.personal && Object.keys(entry.personal).length > 0
      ? {
          salt: randomBytes(32).toString('base64url'),
          text: canonicalText(storableValues(entry.personal)),
        }
      : undefined;
  const { approvalId, subjectId } = entry;
  const isPrivate = subjectId !== undefined && isPrivateId(subjectId);
  const row: UnsignedRow = {
    team_id: entry.teamId,
    seq,
    at: entry.at,
    event: entry.event,
    actor: storedText(entry.actor),
    approval_id: approvalId?.toLowerCase() ?? null,
    action: storedText(entry.action),
    subject_id: storedText(isPrivate ? approvalId : subjectId),
    facts: canonicalText(storableValues(entry.facts ?? {})),
    personal_digest: personal ? personalDigest(personal) : null,
    key_id: key.id,
    previous_hash: head.hash,
  };
  const hash = rowHash(key, head.chain_id, row);
  // No other entry has a key that the one before it doesn't have.
  if (head.seq === 0 || entry.event === 'key_changed') await recordUse(trx, key.id);

  await trx
    .insertInto('audit_log')
    .values({ ...row, hash })
    .execute();
  if (personal) {
    const { team_id } = row;
    await trx
      .insertInto('audit_log_personal')
      .values({ team_id, seq, ...personal })
      .execute();
  }
  await trx
    .updateTable('audit_log_head')
    .set({ seq, hash })
    .where('team_id', '=', entry.teamId)
    .execute();
  return { seq, hash };
}

/** Locks the end of the team's chain until the transaction ends; creates it for a first entry. */
export async function lockHead(trx: Transaction<Tables>, teamId: string): Promise<LockedHead> {
  const select = trx
    .selectFrom('audit_log_head')
    .select(['chain_id', 'seq', 'hash'])
    .where('team_id', '=', teamId)
    .forUpdate();
  const head = await select.executeTakeFirst();
  if (head) return head;

  const chainId = randomUUID();
  await trx
    .insertInto('audit_log_head')
    .values({ team_id: teamId, chain_id: chainId, seq: 0, hash: genesisHash({ chainId, teamId }) })
    .onConflict((conflict) => conflict.column('team_id').doNothing())
    .execute();
  return select.executeTakeFirstOrThrow();
}

function storedText(text: string | undefined): string | null {
  return text === undefined ? null : storable(text);
}
