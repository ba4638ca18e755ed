import { randomBytes } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAppendEntry, insertEntry, lockHead } from '../../src/audit-log/append.ts';
import { deriveAuditKeys, rowHash } from '../../src/audit-log/hash-chain.ts';
import { readTeamChain } from '../../src/audit-log/read-chain.ts';
import { listNextKeys, rotateSigningKey } from '../../src/audit-log/rotate-key.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';
import { someEntries, writeLog, writeSomeLog } from './logged-team.ts';

const [oldKey, newKey, thirdKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const both = [oldKey, newKey];
const idOf = (key: Buffer) => deriveAuditKeys([key]).first.id;

describe.each(databases())('changing the key of the audit log on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  const rotate = (to: Buffer, keys = both) =>
    rotateSigningKey(database.db, keys, { to: idOf(to), at: noon, by: { actor: 'U_OPS' } });

  const verify = async (teamId: string, keys = [...both, thirdKey]) => {
    const reports = await verifyAuditLog(database.db, keys, []);
    return reports.find((report) => report.teamId === teamId)?.firstBreak;
  };

  const keysOf = async (teamId: string) => {
    const rows = await database.db
      .selectFrom('audit_log')
      .select('key_id')
      .where('team_id', '=', teamId)
      .orderBy('seq')
      .execute();
    return rows.map(({ key_id }) => key_id);
  };

  /** As someone who owns the tables can. */
  const tamper = (statement: ReturnType<typeof sql>) =>
    database.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await statement.execute(trx);
    });

  /** Signs the last entry again, as someone who has the key and owns the tables can. */
  async function forgeLast(teamId: string, key: Buffer, facts?: string) {
    const { head, rows } = await readTeamChain(database.db, teamId);
    const all = [];
    for await (const row of rows) all.push(row);
    const { hash: _, personal: __, ...last } = all.at(-1) ?? fail();
    const signingKey = deriveAuditKeys([key]).first;
    const forged = { ...last, key_id: signingKey.id, facts: facts ?? last.facts };
    const hash = rowHash(signingKey, head?.chain_id ?? '', forged);
    await database.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update audit_log set key_id = ${signingKey.id}, hash = ${hash},
        facts = ${forged.facts} where team_id = ${teamId} and seq = ${last.seq}`.execute(trx);
      await sql`update audit_log_head set hash = ${hash} where team_id = ${teamId}`.execute(trx);
    });
  }

  /** A log as the earlier versions wrote it: the first key of each process's list signed. */
  async function mixedLog(...signers: Buffer[]): Promise<string> {
    const teamId = newTeamId();
    await database.db.transaction().execute(async (trx) => {
      for (const key of signers) {
        const head = await lockHead(trx, teamId);
        const [entry = fail()] = someEntries(1, teamId);
        await insertEntry(trx, { head, key: deriveAuditKeys([key]).first, entry });
      }
    });
    return teamId;
  }

  it('keeps signing with the key in force, regardless of the order of the list', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 1);
    await writeLog(database.db, [newKey, oldKey], someEntries(1, teamId));
    const other = await writeSomeLog(database.db, [newKey, oldKey], 1);
    expect(await keysOf(teamId)).toEqual([idOf(oldKey), idOf(oldKey)]);
    expect(await keysOf(other)).toEqual([idOf(oldKey)]);
  });

  it('signs with the new key after an entry that both keys sign', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 2);
    const rotations = await rotate(newKey);
    expect(rotations).toEqual([
      { teamId, seq: 3, from: idOf(oldKey), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    await writeLog(database.db, both, someEntries(2, teamId));
    expect(await keysOf(teamId)).toEqual([
      ...[idOf(oldKey), idOf(oldKey)],
      ...[idOf(newKey), idOf(newKey), idOf(newKey)],
    ]);
    expect(await verify(teamId)).toBeUndefined();
    expect(await rotate(newKey)).toEqual([]);

    const started = await writeSomeLog(database.db, both, 1);
    expect(await keysOf(started)).toEqual([idOf(newKey)]);
  });

  it('refuses to sign without the key in force', async () => {
    const teamId = await writeSomeLog(database.db, both, 1);
    await rotate(newKey);
    await expect(writeLog(database.db, [oldKey], someEntries(1, teamId))).rejects.toThrow(
      `BELAY_ENCRYPTION_KEYS lacks the key ${idOf(newKey)}, which signs the audit log`,
    );
    await expect(writeSomeLog(database.db, [oldKey], 1)).rejects.toThrow('BELAY_ENCRYPTION_KEYS');
    expect(await keysOf(teamId)).toHaveLength(2);
    await writeLog(database.db, [newKey], someEntries(1, teamId));
    expect(await verify(teamId)).toBeUndefined();
  });

  it('accepts changes by the order of the list in the entries of earlier versions', async () => {
    const teamId = await mixedLog(oldKey, newKey, oldKey, newKey);
    expect(await verify(teamId)).toBeUndefined();
    expect(await verify(teamId, [newKey])).toBe('entry 1 is signed with a key Belay does not have');
    await rotate(thirdKey, [newKey, thirdKey]);
    await writeLog(database.db, [thirdKey], someEntries(1, teamId));
    expect(await verify(teamId)).toBeUndefined();
    await forgeLast(teamId, oldKey);
    expect(await verify(teamId)).toBe("entry 6 isn't signed with the key that entry 5 introduced");
  });

  it('reports an entry that is signed with the retired key', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 1);
    await rotate(newKey);
    await writeLog(database.db, both, someEntries(1, teamId));
    await forgeLast(teamId, oldKey);
    expect(await verify(teamId)).toBe('entry 3 is signed with a key that entry 2 retired');
  });

  it('does not continue a forged entry, in a process that wrote nothing since the change', async () => {
    const append = createAppendEntry(both);
    const [entry = fail()] = someEntries(1);
    const write = () => database.db.transaction().execute((trx) => append(trx, entry));
    await write();
    await rotate(newKey);
    await writeLog(database.db, both, someEntries(1, entry.teamId));
    await forgeLast(entry.teamId, oldKey);
    await expect(write()).rejects.toThrow(`signed with the retired key ${idOf(oldKey)}`);
  });

  it('does not go back to a retired key', async () => {
    await writeSomeLog(database.db, [oldKey], 1);
    await rotate(newKey);
    await expect(rotate(oldKey)).rejects.toThrow(`The key ${idOf(oldKey)} was retired`);
    expect(await listNextKeys(database.db, [oldKey, newKey, thirdKey])).toEqual([idOf(thirdKey)]);
  });

  it('does not go back to a key that earlier versions replaced by the order of the list', async () => {
    const teamId = await mixedLog(oldKey, newKey);
    expect(await listNextKeys(database.db, [newKey, oldKey])).toEqual([]);
    await expect(rotate(oldKey)).rejects.toThrow(`The key ${idOf(oldKey)} was retired`);
    expect(await rotate(newKey)).toEqual([]);
    expect(await keysOf(teamId)).toEqual([idOf(oldKey), idOf(newKey)]);

    await mixedLog(oldKey);
    const candidates = await listNextKeys(database.db, [newKey, oldKey]);
    expect(candidates.sort()).toEqual([idOf(newKey), idOf(oldKey)].sort());
  });

  it('reports an entry of a later log that is signed with the retired key', async () => {
    await writeSomeLog(database.db, [oldKey], 1);
    await rotate(newKey);
    const later = await writeSomeLog(database.db, both, 3);
    expect(await verify(later)).toBeUndefined();
    await forgeLast(later, oldKey);
    expect(await verify(later)).toBe('entry 3 is signed with a key that another log retired');
    await expect(writeLog(database.db, both, someEntries(1, later))).rejects.toThrow(
      `the audit log of ${later} ends with an entry signed with the retired key ${idOf(oldKey)}`,
    );

    const forged = await mixedLog(oldKey);
    expect(await verify(forged)).toBe('entry 1, the last one, has a key that another log retired');
  });

  it('changes the key of a log that begins at the same time', async () => {
    await writeSomeLog(database.db, [oldKey], 1);
    const [entry = fail()] = someEntries(1);
    const rotation = await database.db.transaction().execute(async (trx) => {
      await createAppendEntry(both)(trx, entry);
      const done = rotate(newKey);
      // Time for a change that doesn't wait for this log.
      for (let count = 0; count < 100; count += 1) await sql`select 1`.execute(trx);
      return { done };
    });
    expect(await rotation.done).toHaveLength(2);
    expect(await keysOf(entry.teamId)).toEqual([idOf(oldKey), idOf(newKey)]);
    expect(await verify(entry.teamId)).toBeUndefined();
  });

  it('accepts mixed keys before a change that another log needed', async () => {
    const mixed = await mixedLog(newKey, oldKey, newKey);
    await mixedLog(oldKey);
    await rotateSigningKey(database.db, both, {
      to: idOf(newKey),
      at: addHours(noon, 2),
      by: { actor: 'U_OPS' },
    });
    expect(await keysOf(mixed)).toHaveLength(3);
    expect(await verify(mixed)).toBeUndefined();
    await writeLog(database.db, both, someEntries(1, mixed));
    await forgeLast(mixed, oldKey);
    expect(await verify(mixed)).toBe('entry 4, the last one, has a key that another log retired');
  });

  it('does not claim to have changed the key when there is no log', async () => {
    await expect(rotate(newKey)).rejects.toThrow(
      'There is no audit log yet: the first key of BELAY_ENCRYPTION_KEYS signs its first entry',
    );
  });

  it('reports a change that the key before it did not sign', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 1);
    await rotate(newKey);
    const facts = { from: idOf(oldKey), proof: 'a'.repeat(64), to: idOf(newKey) };
    await forgeLast(teamId, newKey, JSON.stringify(facts));
    expect(await verify(teamId)).toBe(
      'entry 2 changes the key without a proof by the key before it',
    );
  });

  it('goes on without a key that was lost only on request, and reports it for good', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 1);
    await expect(rotate(newKey, [newKey])).rejects.toThrow(`lacks the key ${idOf(oldKey)}`);
    await rotateSigningKey(database.db, [newKey], {
      to: idOf(newKey),
      at: noon,
      by: { actor: 'U_OPS' },
      lostKey: true,
    });
    await writeLog(database.db, [newKey], someEntries(1, teamId));
    expect(await verify(teamId, [newKey])).toBe('entry 1 is signed with a key Belay does not have');
    expect(await verify(teamId)).toBe(
      'entry 2 changes the key without a proof by the key before it',
    );
  });

  it('verifies what it can after a key that was lost', async () => {
    const teamId = await writeSomeLog(database.db, [oldKey], 3);
    await rotateSigningKey(database.db, [newKey], {
      to: idOf(newKey),
      at: noon,
      by: { actor: 'U_OPS' },
      lostKey: true,
    });
    await writeLog(database.db, [newKey], someEntries(2, teamId));
    const report = async (keys: Buffer[]) => {
      const reports = await verifyAuditLog(database.db, keys, []);
      return reports.find((one) => one.teamId === teamId);
    };
    const lost = {
      entries: 0,
      firstBreak: 'entry 1 is signed with a key Belay does not have',
      verifiedFrom: 4,
      laterBreak: undefined,
    };
    const unproven = 'entry 4 changes the key without a proof by the key before it';
    expect(await report([newKey])).toMatchObject(lost);
    await rotate(thirdKey, [newKey, thirdKey]);
    expect(await report([newKey, thirdKey])).toMatchObject(lost);
    const all = [...both, thirdKey];
    expect(await report(all)).toMatchObject({ ...lost, entries: 3, firstBreak: unproven });

    await tamper(sql`update audit_log set actor = 'U_EVE' where seq = 5`);
    const laterBreak = 'entry 5 was changed';
    expect(await report([newKey, thirdKey])).toMatchObject({ ...lost, laterBreak });
    expect(await report(all)).toMatchObject({ firstBreak: unproven, laterBreak });
    await tamper(sql`delete from audit_log where seq = 2`);
    expect(await report([newKey, thirdKey])).toMatchObject({ laterBreak: 'entry 2 is missing' });
  });
});

function fail(): never {
  throw new Error('there is no entry');
}
