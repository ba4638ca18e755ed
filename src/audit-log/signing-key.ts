import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { AuditKey, AuditKeys } from './hash-chain.ts';
import { keyChange } from './key-change.ts';

/**
 * Id of the key that signs a team's next entry: that of its last entry, which only a `key_changed`
 * entry replaces. A new log starts with the key of the log that was written last; undefined if there
 * is no log.
 */
export async function readSigningKeyId(
  db: Kysely<Tables>,
  teamId: string,
): Promise<string | undefined> {
  return (await readKeyId(db, teamId)) ?? (await readKeyIdOfOtherLogs(db));
}

/** Id of the key that signed the team's last entry; undefined if there is none. */
export async function readKeyId(db: Kysely<Tables>, teamId: string): Promise<string | undefined> {
  const last = await db
    .selectFrom('audit_log')
    .select('key_id')
    .where('team_id', '=', teamId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.key_id;
}

async function readKeyIdOfOtherLogs(db: Kysely<Tables>): Promise<string | undefined> {
  const last = await db
    .selectFrom('audit_log_head as head')
    // Looked up for each log: a join reads all entries of all logs.
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('audit_log')
          .select(['key_id', 'at'])
          .whereRef('team_id', '=', 'head.team_id')
          .orderBy('seq', 'desc')
          .limit(1)
          .as('entry'),
      (join) => join.onTrue(),
    )
    .select('entry.key_id')
    .orderBy('entry.at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.key_id;
}

/** Every change of the key that an entry of any log records, proven or not. */
export async function readKeyChanges(db: Kysely<Tables>): Promise<{ from: string; to: string }[]> {
  const changes = await db
    .selectFrom('audit_log')
    .select('facts')
    .where('event', '=', 'key_changed')
    .execute();
  return changes.flatMap(({ facts }) => keyChange.safeParse(facts).data ?? []);
}

/** Whether an entry of the team's log after this number changes the key. */
export async function hasKeyChange(
  db: Kysely<Tables>,
  teamId: string,
  { after }: { after: number },
): Promise<boolean> {
  const change = await db
    .selectFrom('audit_log')
    .select('seq')
    .where('team_id', '=', teamId)
    .where('seq', '>', after)
    .where('event', '=', 'key_changed')
    .limit(1)
    .executeTakeFirst();
  return change !== undefined;
}

/** @throws if Belay does not have the key: it must not sign with another one instead. */
export function heldKey(keys: AuditKeys, id: string): AuditKey {
  const key = keys.byId.get(id);
  if (key) return key;
  throw new Error(
    `BELAY_ENCRYPTION_KEYS lacks the key ${id}, which signs the audit log: add it to the list (docs/operations.md, "Keys")`,
  );
}
