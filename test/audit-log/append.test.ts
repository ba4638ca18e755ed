import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import type { AuditEntry } from '../../src/audit-log/entry.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { newTeamId, noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';

const append = createAppendEntry([randomBytes(32)]);

describe.each(databases())('the audit log on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const log = (...entries: AuditEntry[]) =>
    database.db.transaction().execute(async (trx) => {
      for (const entry of entries) await append(trx, entry);
    });

  const rowsOf = (teamId: string) =>
    database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('team_id', '=', teamId)
      .orderBy('seq')
      .execute();

  const textsOf = (teamId: string) =>
    database.db
      .selectFrom('audit_log_personal')
      .selectAll()
      .where('team_id', '=', teamId)
      .execute();

  it('numbers the entries of a team and links each to its predecessor', async () => {
    const teamId = newTeamId();
    await log({ teamId, at: noon, event: 'requested', actor: 'U_REQUESTER' });
    await log(
      { teamId, at: noon, event: 'approved', actor: 'U_BEN' },
      { teamId, at: noon, event: 'started' },
    );

    const rows = await rowsOf(teamId);
    expect(rows.map(({ seq, event }) => [seq, event])).toEqual([
      [1, 'requested'],
      [2, 'approved'],
      [3, 'started'],
    ]);
    expect(rows.slice(1).map((row) => row.previous_hash)).toEqual(
      rows.slice(0, -1).map((row) => row.hash),
    );
    const head = await database.db
      .selectFrom('audit_log_head')
      .selectAll()
      .where('team_id', '=', teamId)
      .executeTakeFirst();
    expect(head).toMatchObject({ seq: 3, hash: rows.at(-1)?.hash, announced_seq: 0 });
  });

  it('stores personal text outside the chain, where it can be erased', async () => {
    const teamId = newTeamId();
    const personal = { reason: 'Left on Friday', email: 'kim@example.com' };
    await log({ teamId, at: noon, event: 'requested', facts: { count: 1 }, personal });

    const [row] = await rowsOf(teamId);
    expect(JSON.stringify(row)).not.toMatch(/Friday|kim/);
    expect(row).toMatchObject({ facts: { count: 1 }, personal_digest: expect.any(String) });
    expect(await textsOf(teamId)).toMatchObject([{ seq: 1, text: personal }]);
  });

  it("accepts text that PostgreSQL can't hold", async () => {
    const teamId = newTeamId();
    const odd = 'a\0b\ud800';
    await log({
      teamId,
      at: noon,
      event: 'refused',
      actor: odd,
      facts: { [odd]: [odd] },
      personal: { reason: odd },
    });
    const whole = 'a\ufffdb\ufffd';
    expect(await rowsOf(teamId)).toMatchObject([{ actor: whole, facts: { [whole]: [whole] } }]);
    expect(await textsOf(teamId)).toMatchObject([{ text: { reason: whole } }]);
  });

  it('stores no entry if the transaction fails', async () => {
    const teamId = newTeamId();
    await log({ teamId, at: noon, event: 'requested' });
    const failing = database.db.transaction().execute(async (trx) => {
      await append(trx, { teamId, at: noon, event: 'approved' });
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    await log({ teamId, at: noon, event: 'denied' });
    expect((await rowsOf(teamId)).map(({ event }) => event)).toEqual(['requested', 'denied']);
  });

  it.each([
    ['update', sql`update audit_log set event = 'denied'`],
    ['delete', sql`delete from audit_log`],
    ['truncate', sql`truncate audit_log`],
    ['update of personal text', sql`update audit_log_personal set text = '{}'`],
    ['truncate of personal text', sql`truncate audit_log_personal`],
  ])('refuses an %s', async (_, statement) => {
    await expect(statement.execute(database.db)).rejects.toThrow('is append-only');
  });
});
