import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import type { Checkpoint } from '../../src/audit-log/compare-checkpoints.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';
import { someEntries, writeLog, writeSomeLog } from './logged-team.ts';

const keys = [randomBytes(32)];

describe.each(databases())('verifying the audit log on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const verify = async (teamId: string, checkpoints: Checkpoint[] = []) => {
    const reports = await verifyAuditLog(database.db, keys, checkpoints);
    return reports.find((report) => report.teamId === teamId);
  };

  const headOf = (teamId: string) =>
    database.db
      .selectFrom('audit_log_head')
      .selectAll()
      .where('team_id', '=', teamId)
      .executeTakeFirstOrThrow();

  const checkpointOf = async (teamId: string): Promise<Checkpoint> => {
    const { chain_id: chainId, seq, hash } = await headOf(teamId);
    return { teamId, chainId, seq, hash, name: 'the checkpoint of noon' };
  };

  /** Bypasses the triggers, as a superuser of the database can. */
  const tamper = (...statements: ReturnType<typeof sql>[]) =>
    database.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      for (const statement of statements) await statement.execute(trx);
    });

  it('accepts two logs written by twenty concurrent writers', async () => {
    const teams = [newTeamId(), newTeamId()];
    const entries = teams.flatMap((teamId) => someEntries(10, teamId));
    await Promise.all(entries.map((entry) => writeLog(database.db, keys, [entry])));
    for (const teamId of teams) {
      expect(await verify(teamId, [await checkpointOf(teamId)])).toMatchObject({
        entries: 10,
        erasedTexts: 0,
        checkpoints: 1,
        firstBreak: undefined,
      });
    }
  });

  it.each<[string, (teamId: string) => ReturnType<typeof sql>[], string]>([
    [
      'a changed event',
      (teamId) => [
        sql`update audit_log set event = 'denied' where team_id = ${teamId} and seq = 2`,
      ],
      'entry 2 was changed',
    ],
    [
      'facts in another JSON format',
      (teamId) => [
        sql`update audit_log set facts = facts::jsonb::json where team_id = ${teamId} and seq = 4`,
      ],
      'entry 4 was changed',
    ],
    [
      'an infinite time',
      (teamId) => [sql`update audit_log set at = 'infinity' where team_id = ${teamId} and seq = 1`],
      'entry 1 was changed',
    ],
    [
      'a removed entry',
      (teamId) => [sql`delete from audit_log where team_id = ${teamId} and seq = 3`],
      'entry 3 is missing',
    ],
    [
      'an entry before the first',
      (teamId) => [sql`update audit_log set seq = -1 where team_id = ${teamId} and seq = 3`],
      "entry -1 is not one of Belay's",
    ],
    [
      'a truncated log',
      (teamId) => [sql`delete from audit_log where team_id = ${teamId} and seq > 4`],
      'the log ends at 4, but the checkpoint of noon recorded entry 6',
    ],
    [
      'a truncated log with a matching head',
      (teamId) => [
        sql`delete from audit_log where team_id = ${teamId} and seq > 4`,
        sql`update audit_log_head as head set seq = last.seq, hash = last.hash
          from audit_log as last
          where head.team_id = ${teamId} and last.team_id = ${teamId} and last.seq = 4`,
      ],
      'the log ends at 4, but the checkpoint of noon recorded entry 6',
    ],
    [
      'a deleted log',
      (teamId) => [
        sql`delete from audit_log where team_id = ${teamId}`,
        sql`delete from audit_log_personal where team_id = ${teamId}`,
        sql`delete from audit_log_head where team_id = ${teamId}`,
      ],
      'the log is gone, but the checkpoint of noon recorded entry 6',
    ],
    [
      'a wrong head',
      (teamId) => [sql`update audit_log_head set hash = 'x' where team_id = ${teamId}`],
      'the head does not match entry 6, the last one',
    ],
    [
      'changed personal text',
      (teamId) => [
        sql`update audit_log_personal set text = '{"reason":"!"}' where team_id = ${teamId} and seq = 5`,
      ],
      'the personal text of entry 5 was changed',
    ],
    [
      'personal text that is gone',
      (teamId) => [sql`delete from audit_log_personal where team_id = ${teamId} and seq = 3`],
      'the personal text of entry 3 is missing, but no erasure was recorded',
    ],
    [
      'personal text for an entry that has none',
      (teamId) => [
        sql`insert into audit_log_personal (team_id, seq, salt, text) values (${teamId}, 2, '', '{}')`,
      ],
      'personal text was added to entry 2',
    ],
    [
      'personal text of no entry',
      (teamId) => [
        sql`insert into audit_log_personal (team_id, seq, salt, text) values (${teamId}, 99, '', '{}')`,
      ],
      'there is personal text for entry 99, which does not exist',
    ],
  ])('finds %s', async (_, statements, firstBreak) => {
    const teamId = await writeSomeLog(database.db, keys, 6);
    const checkpoints = [await checkpointOf(teamId)];
    expect(await verify(teamId, checkpoints)).toMatchObject({ entries: 6, firstBreak: undefined });
    await tamper(...statements(teamId));
    expect(await verify(teamId, checkpoints)).toMatchObject({ firstBreak });
  });

  it('detects a log that was replaced with a new one', async () => {
    const teamId = await writeSomeLog(database.db, keys, 2);
    const checkpoints = [await checkpointOf(teamId)];
    await tamper(
      sql`delete from audit_log where team_id = ${teamId}`,
      sql`delete from audit_log_personal where team_id = ${teamId}`,
      sql`delete from audit_log_head where team_id = ${teamId}`,
    );
    await writeLog(database.db, keys, someEntries(5, teamId));
    expect(await verify(teamId)).toMatchObject({ firstBreak: undefined });
    expect(await verify(teamId, checkpoints)).toMatchObject({
      firstBreak:
        'the log was restarted: the checkpoint of noon recorded entry 2 of an earlier log',
    });
  });

  it('accepts erased text, and reports restored text', async () => {
    const teamId = await writeSomeLog(database.db, keys, 4);
    const texts = await database.db
      .deleteFrom('audit_log_personal')
      .where('team_id', '=', teamId)
      .where('seq', '=', 3)
      .returning(['salt', sql<string>`text::text`.as('text')])
      .executeTakeFirstOrThrow();
    const facts = { entries: ['3'] };
    await writeLog(database.db, keys, [{ teamId, at: noon, event: 'erased', facts }]);
    expect(await verify(teamId)).toMatchObject({
      entries: 5,
      erasedTexts: 1,
      firstBreak: undefined,
    });
    await database.db
      .insertInto('audit_log_personal')
      .values({ team_id: teamId, seq: 3, ...texts })
      .execute();
    expect(await verify(teamId)).toMatchObject({
      firstBreak: 'the personal text of entry 3 is back after its erasure',
    });
  });

  it('looks at each checkpoint a fixed number of times, however long the log is', async () => {
    const count = 100;
    const teamId = newTeamId();
    const append = createAppendEntry(keys);
    const entries = someEntries(count, teamId);
    await database.db.transaction().execute(async (trx) => {
      for (const entry of entries) await append(trx, entry);
    });
    const rows = await database.db
      .selectFrom('audit_log')
      .select(['seq', 'hash'])
      .where('team_id', '=', teamId)
      .execute();
    let looks = 0;
    const checkpoints = rows.map(
      ({ seq, hash }): Checkpoint => ({
        teamId,
        chainId: undefined,
        hash,
        name: `checkpoint ${seq}`,
        get seq() {
          looks += 1;
          return seq;
        },
      }),
    );
    expect(await verify(teamId, checkpoints)).toMatchObject({
      entries: count,
      firstBreak: undefined,
    });
    expect(looks).toBeLessThan(10 * count);
  });
});
