import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns/addDays';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createTokenExpiryStore } from '../../../src/workspace/store/token-expiry.ts';
import { noon, onePm } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

const warnings = [1, 3, 7, 14];

describe.each(databases())('expiring tokens on $name', ({ open }) => {
  let database: OpenDatabase;
  const expiring = () => createTokenExpiryStore(database.db, serveAll);
  const listDue = (now = noon) => expiring().listDue({ now, warnings });
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  async function connect(teamId: string, name: string, expiresAt: Date | null = onePm) {
    const id = randomUUID();
    await database.db
      .insertInto('connection')
      .values({
        id,
        team_id: teamId,
        region_id: 'eu',
        saved_by: 'U_ADMIN',
        saved_at: noon,
        name,
        is_default: name === 'main',
        origin_id: id,
        token_sealed: 'sealed',
        token_expires_at: expiresAt,
      })
      .execute();
    return id;
  }

  it('are listed with a name where there are several, and without those that have no expiry', async () => {
    const [one, several] = [randomUUID(), randomUUID()];
    await connect(one, 'main');
    await connect(several, 'main');
    await connect(several, 'Europe', null);
    const listed = await listDue();
    expect(listed.find(({ teamId }) => teamId === one)).toMatchObject({
      connectionName: undefined,
      expiresAt: onePm,
      warnedDays: undefined,
      dueDays: 1,
    });
    expect(listed.filter(({ teamId }) => teamId === several)).toMatchObject([
      { connectionName: 'main', savedBy: 'U_ADMIN' },
    ]);
  });

  it('are due for the nearest warning only, and once for each', async () => {
    await connect(randomUUID(), 'main', addDays(noon, 20));
    const dueAfter = async (days: number) => (await listDue(addDays(noon, days)))[0]?.dueDays;
    const warn = async (days: number) => {
      const [token] = await listDue(addDays(noon, days));
      if (token) await expiring().claimWarning(token, async () => undefined);
    };
    expect(await dueAfter(5)).toBeUndefined();
    expect(await dueAfter(6)).toBe(14);
    await warn(6);
    expect(await dueAfter(12)).toBeUndefined();
    expect(await dueAfter(18)).toBe(3);
    await warn(18);
    expect(await dueAfter(19)).toBe(1);
    expect(await dueAfter(20)).toBe(0);
    await warn(20);
    expect(await dueAfter(400)).toBeUndefined();
  });

  it('are reported once, however many processes try, and not once the token was replaced', async () => {
    const id = await connect(randomUUID(), 'main');
    const store = expiring();
    const [token] = await listDue();
    if (!token) throw new Error('the token is not listed');
    let sent = 0;
    const send = async () => {
      sent += 1;
    };
    await Promise.all([
      store.claimWarning(token, send),
      store.claimWarning(token, send),
      store.claimWarning(token, send),
    ]);
    expect(sent).toBe(1);
    await database.db
      .updateTable('connection')
      .set({ token_sealed: 'another', token_expires_at: noon, expiry_warned_days: null })
      .where('id', '=', id)
      .execute();
    await store.claimWarning(token, send);
    expect(sent).toBe(1);
  });
});
