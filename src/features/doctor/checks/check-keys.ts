import type { Kysely } from 'kysely';
import { readKeyId } from '../../../audit-log/signing-key.ts';
import { readAuditKeys } from '../../../audit-log/stored-keys.ts';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import { code, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { type KeyStatus, readKeyStatus } from '../../keys/index.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';

const area = 'Keys';

/** Whether the configured keys open what is stored, and which of them are no longer needed. */
export async function checkKeys({
  db,
  teamId,
  encryptionKeys,
  now,
}: {
  db: Database;
  teamId: string;
  encryptionKeys: Buffer[];
  now: Date;
}): Promise<Finding[]> {
  const status = await readKeyStatus(db, { encryptionKeys, now });
  const findings = [
    ...unreadableFindings(status, teamId),
    ...(await auditFindings(db, { teamId, status, encryptionKeys })),
    ...rotationFindings(status),
  ];
  if (findings.length > 0) return findings;
  return [ok(area, `${plural(encryptionKeys.length, 'encryption key')} configured · none missing`)];
}

function unreadableFindings({ unreadable }: KeyStatus, teamId: string): Finding[] {
  return unreadable
    .filter((value) => value.teamId === teamId)
    .map(({ name, remedy }) =>
      problem(
        area,
        `${safe(name)} is encrypted with a key that Belay doesn't have.`,
        `Add the key to \`BELAY_ENCRYPTION_KEYS\`, or ${remedy}.`,
      ),
    );
}

async function auditFindings(
  db: Database,
  {
    teamId,
    status,
    encryptionKeys,
  }: { teamId: string; status: KeyStatus; encryptionKeys: Buffer[] },
): Promise<Finding[]> {
  const signingId = await readKeyId(db, teamId);
  const findings: Finding[] = [];
  for (const id of status.lostAuditKeys) {
    const entries = id === signingId ? undefined : await readEntriesOf(db, { teamId, keyId: id });
    if (!entries) continue;
    findings.push(
      warning(
        area,
        `${plural(entries.count, 'entry', 'entries')} of the audit log, from ${entries.first} to ${entries.last}, can't be verified: Belay doesn't have the key ${code(id)}.`,
        'Add the key to `BELAY_ENCRYPTION_KEYS` of every process and restart.',
      ),
    );
  }
  const held = (await readAuditKeys(db, encryptionKeys)).byId;
  if (signingId === undefined || held.has(signingId)) return findings;
  return [
    problem(
      area,
      `The audit log is signed with the key ${code(signingId)}, which Belay doesn't have, so Belay refuses all decisions.`,
      'Add the key to `BELAY_ENCRYPTION_KEYS` of every process and restart.',
    ),
    ...findings,
  ];
}

/** Reads the whole log, so only for a key that is missing. Undefined if the key signed none of it. */
async function readEntriesOf(
  db: Kysely<Tables>,
  { teamId, keyId }: { teamId: string; keyId: string },
): Promise<{ count: number; first: number; last: number } | undefined> {
  const { count, first, last } = await db
    .selectFrom('audit_log')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min('seq').as('first'),
      fn.max('seq').as('last'),
    ])
    .where('team_id', '=', teamId)
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow();
  return count > 0 ? { count, first, last } : undefined;
}

function rotationFindings({ older, otherProcesses }: KeyStatus): Finding[] {
  return [
    ...(otherProcesses.length > 0
      ? [
          warning(
            area,
            `Some processes encrypt with another key: ${otherProcesses.map((id) => code(id)).join(', ')}. Belay doesn't re-encrypt anything meanwhile.`,
            'Set the same `BELAY_ENCRYPTION_KEYS` for every process and restart.',
          ),
        ]
      : []),
    ...older.map(({ id, position, isNeeded }) => {
      const key = `The key ${code(id)} (number ${position} in the list)`;
      return isNeeded
        ? ok(area, `${key} is still needed until Belay has re-encrypted everything.`)
        : warning(
            area,
            `${key} is no longer needed.`,
            'Remove the key from `BELAY_ENCRYPTION_KEYS` of every process and restart.',
          );
    }),
  ];
}
