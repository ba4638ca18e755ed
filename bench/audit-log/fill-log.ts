import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { addSeconds } from 'date-fns/addSeconds';
import type { Insertable } from 'kysely';
import {
  type AuditKey,
  deriveAuditKeys,
  genesisHash,
  personalDigest,
  rowHash,
  sign,
} from '../../src/audit-log/hash-chain.ts';
import type { AuditLogPersonalTable, AuditLogTable } from '../../src/audit-log/tables.ts';
import type { Database } from '../../src/database/tables.ts';

const batchSize = 1000;
const teamId = 'T0BENCH';
const start = new Date('2026-01-01T00:00:00Z');

/**
 * Writes `count` entries as Belay would, every other one with personal text, and a checkpoint of each.
 * In batches: one transaction for each entry would take an hour for a million.
 */
export async function fillLog(
  db: Database,
  { count, encryptionKey, path }: { count: number; encryptionKey: Buffer; path: string },
): Promise<void> {
  const key = deriveAuditKeys([encryptionKey]).first;
  const chainId = randomUUID();
  const file = createWriteStream(path);
  let hash = genesisHash({ chainId, teamId });
  for (let first = 1; first <= count; first += batchSize) {
    const entries: Insertable<AuditLogTable>[] = [];
    const texts: Insertable<AuditLogPersonalTable>[] = [];
    const lines: string[] = [];
    for (let seq = first; seq < Math.min(first + batchSize, count + 1); seq += 1) {
      const { entry, personal } = makeEntry({ key, chainId, seq, previousHash: hash });
      hash = entry.hash;
      entries.push(entry);
      if (personal) texts.push({ team_id: teamId, seq, ...personal });
      lines.push(checkpointLine(key, { chainId, teamId, seq, hash }));
    }
    await db.insertInto('audit_log').values(entries).execute();
    await db.insertInto('audit_log_personal').values(texts).execute();
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  const head = { team_id: teamId, chain_id: chainId, seq: count, hash };
  await db.insertInto('audit_log_head').values(head).execute();
  file.end();
  await once(file, 'finish');
}

type Place = { key: AuditKey; chainId: string; seq: number; previousHash: string };

function makeEntry({ key, chainId, seq, previousHash }: Place) {
  const isRequest = seq % 2 === 1;
  const salt = createHash('sha256').update(String(seq)).digest('base64url');
  const personal = { salt, text: `{"reason":"left the company, ticket ${seq}"}` };
  const unsigned = {
    team_id: teamId,
    seq,
    at: addSeconds(start, seq),
    event: isRequest ? ('requested' as const) : ('approved' as const),
    actor: isRequest ? 'U0REQUESTER' : 'U0APPROVER',
    approval_id: randomUUID(),
    action: 'users.disable',
    subject_id: String(seq),
    facts: `{"number":${seq},"roles":["admin","user"]}`,
    personal_digest: isRequest ? personalDigest(personal) : null,
    key_id: key.id,
    previous_hash: previousHash,
  };
  const entry = { ...unsigned, hash: rowHash(key, chainId, unsigned) };
  return { entry, personal: isRequest ? personal : undefined };
}

type Head = { chainId: string; teamId: string; seq: number; hash: string };

function checkpointLine(key: AuditKey, head: Head): string {
  const line = { ...head, at: addSeconds(start, head.seq).toISOString(), keyId: key.id };
  return `${JSON.stringify({ ...line, mac: sign(key, line) })}\n`;
}
