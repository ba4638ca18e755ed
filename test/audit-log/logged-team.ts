import { randomUUID } from 'node:crypto';
import { addSeconds } from 'date-fns/addSeconds';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import type { AuditEntry } from '../../src/audit-log/entry.ts';
import type { Database } from '../../src/database/tables.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';

/** Writes each entry in a separate transaction. */
export async function writeLog(
  db: Database,
  encryptionKeys: Buffer[],
  entries: AuditEntry[],
): Promise<void> {
  const append = createAppendEntry(encryptionKeys);
  for (const entry of entries) await db.transaction().execute((trx) => append(trx, entry));
}

/** `count` entries of a team; every other one has personal text. */
export function someEntries(count: number, teamId = newTeamId()): AuditEntry[] {
  return Array.from({ length: count }, (_, index): AuditEntry => {
    const isRequest = index % 2 === 0;
    return {
      teamId,
      at: addSeconds(noon, index),
      event: isRequest ? 'requested' : 'approved',
      actor: isRequest ? 'U_REQUESTER' : 'U_BEN',
      approvalId: randomUUID(),
      action: 'users.disable',
      subjectId: String(index),
      facts: { number: index, roles: ['admin', 'user'], isLast: false },
      ...(isRequest ? { personal: { reason: `left, number ${index}`, name: 'Kim “K” Lee' } } : {}),
    };
  });
}

/** Writes a log with that many entries for a new team; resolves to the team's id. */
export async function writeSomeLog(
  db: Database,
  encryptionKeys: Buffer[],
  count: number,
): Promise<string> {
  const teamId = newTeamId();
  await writeLog(db, encryptionKeys, someEntries(count, teamId));
  return teamId;
}
