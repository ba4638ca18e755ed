import { randomBytes, randomUUID } from 'node:crypto';
import { addDays } from 'date-fns/addDays';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToken } from '../../../../playground/service/portal/authorize.ts';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import {
  createTokenCipher,
  type TokenCipher,
} from '../../../../src/features/workspaces/store/token-cipher.ts';
import { createTokenExpiryStore } from '../../../../src/features/workspaces/store/token-expiry.ts';
import { databases } from '../../../support/databases.ts';
import { noon, onePm } from '../../approvals/store/rows.ts';

const warnings = [1, 3, 7, 14];

describe.each(databases())('expiring tokens on $name', ({ open }) => {
  let database: OpenDatabase;
  let decrypted = 0;
  const real = createTokenCipher([randomBytes(32)]);
  const cipher: TokenCipher = {
    ...real,
    open(...sealed) {
      decrypted += 1;
      return real.open(...sealed);
    },
  };
  const expiring = () => createTokenExpiryStore(database.db, { cipher, isServed: serveAll });
  const listDue = (now = noon) => expiring().listDue({ now, warnings });
  beforeEach(async () => {
    database = await open();
    decrypted = 0;
  });
  afterEach(() => database.close());

  /** As an earlier version saves it: without the expiry. */
  async function connect(teamId: string, name: string, token = createToken('eu', noon, onePm)) {
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
        token_sealed: real.seal(token, { teamId, connectionId: id }),
      })
      .execute();
    return id;
  }

  it('are listed with a name where there are several, and without those that have no expiry', async () => {
    const [one, several] = [randomUUID(), randomUUID()];
    await connect(one, 'main');
    await connect(several, 'main');
    await connect(several, 'Europe', 'opaque-token');
    await expiring().readMissing();
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

  it('are decrypted once, whatever their number', async () => {
    const teamIds = Array.from({ length: 250 }, () => randomUUID());
    for (const teamId of teamIds) await connect(teamId, 'main');
    await connect(randomUUID(), 'main', 'opaque-token');
    await expiring().readMissing();
    expect(decrypted).toBe(251);
    await expiring().readMissing();
    expect(await listDue()).toHaveLength(250);
    expect(decrypted).toBe(251);
  });

  it('are read again once an earlier version has replaced the token', async () => {
    const teamId = randomUUID();
    const id = await connect(teamId, 'main');
    await expiring().readMissing();
    const later = createToken('eu', noon, addDays(noon, 5));
    await database.db
      .updateTable('connection')
      .set({
        token_sealed: real.seal(later, { teamId, connectionId: id }),
        saved_at: onePm,
        expiry_warned_days: null,
      })
      .execute();
    expect(await listDue()).toEqual([]);
    await expiring().readMissing();
    expect(await listDue()).toMatchObject([{ expiresAt: addDays(noon, 5), dueDays: 7 }]);
  });

  it('that no key decrypts do not keep the others from being read', async () => {
    const id = await connect(randomUUID(), 'main');
    await database.db
      .updateTable('connection')
      .set({ token_sealed: 'sealed with a lost key' })
      .where('id', '=', id)
      .execute();
    await connect(randomUUID(), 'main');
    await expiring().readMissing();
    expect(await listDue()).toHaveLength(1);
  });

  it('are due for the nearest warning only, and once for each', async () => {
    await connect(randomUUID(), 'main', createToken('eu', noon, addDays(noon, 20)));
    await expiring().readMissing();
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
    const teamId = randomUUID();
    const id = await connect(teamId, 'main');
    const store = expiring();
    await store.readMissing();
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
    const replaced = real.seal('another', { teamId, connectionId: id });
    await database.db
      .updateTable('connection')
      .set({ token_sealed: replaced, saved_at: onePm, expiry_warned_days: null })
      .where('id', '=', id)
      .execute();
    await store.claimWarning(token, send);
    expect(sent).toBe(1);
  });
});
