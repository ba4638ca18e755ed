import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../../../playground/service/portal/authorize.ts';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import { createTokenCipher } from '../../../../src/features/workspaces/store/token-cipher.ts';
import { createTokenExpiryStore } from '../../../../src/features/workspaces/store/token-expiry.ts';
import { databases } from '../../../support/databases.ts';
import { noon, onePm } from '../../approvals/store/rows.ts';

describe.each(databases())('expiring tokens on $name', ({ open }) => {
  let database: OpenDatabase;
  const cipher = createTokenCipher([randomBytes(32)]);
  const expiring = () => createTokenExpiryStore(database.db, { cipher, isServed: serveAll });
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  async function connect(teamId: string, name: string, token = createToken('eu', noon, onePm)) {
    const id = randomUUID();
    await database.db
      .insertInto('connection')
      .values({
        ...{ id, team_id: teamId, region_id: 'eu', saved_by: 'U_ADMIN', saved_at: noon },
        ...{ name, is_default: name === 'main', origin_id: id },
        token_sealed: cipher.seal(token, { teamId, connectionId: id }),
      })
      .execute();
    return id;
  }

  it('are listed with a name where there are several, and without those that have no expiry', async () => {
    const [one, several] = [randomUUID(), randomUUID()];
    await connect(one, 'main');
    await connect(several, 'main');
    await connect(several, 'Europe', 'opaque-token');
    const listed = await expiring().listExpiring();
    expect(listed.find(({ teamId }) => teamId === one)).toMatchObject({
      ...{ connectionName: undefined, expiresAt: onePm, warnedDays: undefined },
    });
    expect(listed.filter(({ teamId }) => teamId === several)).toMatchObject([
      { connectionName: 'main', savedBy: 'U_ADMIN' },
    ]);
  });

  it('are reported once, however many processes try, and not once the token was replaced', async () => {
    const teamId = randomUUID();
    const id = await connect(teamId, 'main');
    const store = expiring();
    const [token] = (await store.listExpiring()).filter((one) => one.teamId === teamId);
    if (!token) throw new Error('the token is not listed');
    let sent = 0;
    const send = async () => {
      sent += 1;
    };
    await Promise.all([
      store.claimWarning(token, 7, send),
      store.claimWarning(token, 7, send),
      store.claimWarning(token, 7, send),
    ]);
    expect(sent).toBe(1);
    const replaced = cipher.seal('another', { teamId, connectionId: id });
    await database.db
      .updateTable('connection')
      .set({ token_sealed: replaced, expiry_warned_days: null })
      .where('id', '=', id)
      .execute();
    await store.claimWarning(token, 3, send);
    expect(sent).toBe(1);
  });
});
