import type { Kysely } from 'kysely';
import { readKeyId } from '../../../audit-log/signing-key.ts';
import { readAuditKeys } from '../../../audit-log/stored-keys.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { code, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { describeInstallation } from '../../installations/index.ts';
import { type KeyStatus, readKeyStatus } from '../../keys/index.ts';
import { type Found, ok, problem, warning } from '../finding.ts';

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
}): Promise<Found[]> {
  const status = await readKeyStatus(db, { encryptionKeys, now });
  // The bot token may be that of the workspace's organization.
  const installed = await describeInstallation(db, teamId);
  const findings = [
    ...unreadableFindings(status, [teamId, installed?.installedIn]),
    ...(await auditFindings(db, { teamId, status, encryptionKeys })),
    ...rotationFindings(status),
  ];
  if (findings.length > 0) return findings;
  return [ok(`${plural(encryptionKeys.length, 'encryption key')} configured · none missing`)];
}

function unreadableFindings({ unreadable }: KeyStatus, teamIds: (string | undefined)[]): Found[] {
  return unreadable
    .filter((value) => teamIds.includes(value.teamId))
    .map(({ name, remedy }) =>
      problem(
        `${safe(name)} is encrypted with a key that Belay doesn't have.`,
        `Add the encryption key that it is derived from to \`BELAY_ENCRYPTION_KEYS\`, or ${remedy}.`,
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
): Promise<Found[]> {
  const signingId = await readKeyId(db, teamId);
  const findings: Found[] = [];
  for (const id of status.lostAuditKeys) {
    const entries = id === signingId ? undefined : await readEntriesOf(db, { teamId, keyId: id });
    if (!entries) continue;
    findings.push(
      warning(
        `${plural(entries.count, 'entry', 'entries')} of the audit log can't be verified (first: ${entries.first}, last: ${entries.last}): Belay doesn't have the signing key ${code(id)}.`,
        'Add the encryption key that it is derived from to `BELAY_ENCRYPTION_KEYS` of every process and restart.',
      ),
    );
  }
  const held = (await readAuditKeys(db, encryptionKeys)).byId;
  if (signingId === undefined || held.has(signingId)) return findings;
  return [
    problem(
      `Belay refuses all decisions, because it doesn't have the signing key of the audit log, ${code(signingId)}.`,
      'Add the encryption key that it is derived from to `BELAY_ENCRYPTION_KEYS` of every process and restart.',
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

function rotationFindings({ older, otherProcesses }: KeyStatus): Found[] {
  return [
    ...(otherProcesses.length > 0
      ? [
          warning(
            `These processes encrypt with a different key: ${otherProcesses.map((id) => code(id)).join(', ')}. Belay won't re-encrypt anything until all processes use the same key.`,
            'Set the same `BELAY_ENCRYPTION_KEYS` for every process and restart.',
          ),
        ]
      : []),
    ...older.map(({ id, position, isNeeded }) => {
      const key = `The key ${code(id)} (number ${position} in the list)`;
      return isNeeded
        ? ok(`${key} is still needed until Belay has re-encrypted everything.`)
        : warning(
            `${key} is no longer needed.`,
            'Remove the key from `BELAY_ENCRYPTION_KEYS` of every process and restart.',
          );
    }),
  ];
}
