import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import {
  createPolicyChanges,
  storeChanges,
} from '../../../src/features/policy-watches/store/all-changes.ts';
import {
  insertConnection,
  newApproval,
  newTeamId,
  noon,
  openApprovalStore,
} from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

const before = { name: 'Gold', slaSets: [{ operation: 'a', slas: [] }] };
const after = { name: 'Gold plus', slaSets: [] };
const at = (minute: number) => addMinutes(noon, minute);

describe.each(databases())('the changes of policies, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** A team with a completed request for each of these payloads, a minute apart. */
  async function startTeam(requests: { action: string; payload: object; sent?: string }[]) {
    const { db } = database;
    const teamId = newTeamId();
    const connectionId = await insertConnection(db, teamId);
    for (const [index, { action, payload, sent = '[{}]' }] of requests.entries()) {
      const request = await newApproval(db, { teamId, connectionId, subjectId: `p-${index}` });
      await openApprovalStore(db).store.create(request);
      await db
        .updateTable('approval')
        .set({ action, state: 'completed' })
        .where('id', '=', request.id)
        .execute();
      await db
        .updateTable('run')
        .set({ payload: JSON.stringify(payload), sent, state: 'completed' })
        .set({ finished_at: at(index + 1) })
        .where('id', '=', request.id)
        .execute();
    }
    const changes = createPolicyChanges(db);
    const listAll = (from: number, until: number) =>
      changes.list({ teamId, originId: undefined, after: at(from), until: at(until) });
    const list = async (from: number, until: number) => (await listAll(from, until)).changes;
    const find = (minute: number, ...policyIds: string[]) => {
      const found = policyIds.map((policyId) => {
        return { policyId, name: 'Silver \0', kind: 'deleted' as const, changes: [] };
      });
      const connection = { teamId, connectionId };
      return db.transaction().execute((trx) => storeChanges(trx, connection, found, at(minute)));
    };
    return { teamId, changes, listAll, list, find };
  }

  const replace = { policyId: 'p-0', before, after, body: {} };

  test('are those of Belay and of others, newest first, each in one period', async () => {
    const { list, find } = await startTeam([
      { action: 'policies.replace', payload: replace },
      { action: 'policies.create', payload: { after: before, body: {} } },
    ]);
    await find(3, 'p-9');
    expect(await list(0, 3)).toMatchObject([
      { policyId: 'p-9', kind: 'deleted', madeBy: undefined, at: at(3), changes: [] },
      {
        policyId: 'p-1',
        kind: 'created',
        madeBy: expect.objectContaining({ requester: expect.any(String) }),
        name: 'Gold',
        at: at(2),
      },
      {
        policyId: 'p-0',
        kind: 'changed',
        madeBy: expect.objectContaining({ requester: expect.any(String) }),
        name: 'Gold plus',
        at: at(1),
      },
    ]);
    const [, , changed] = await list(0, 3);
    expect(changed?.changes.map(({ weight }) => weight)).toEqual(['weaker', 'neutral']);
    const periods = [await list(0, 1), await list(1, 2), await list(2, 3)];
    expect(periods.map((found) => found.map(({ policyId }) => policyId))).toEqual([
      ...[['p-0'], ['p-1'], ['p-9']],
    ]);
  });

  test('are 1,000 at most, the newest', async () => {
    const { listAll, find } = await startTeam([{ action: 'policies.replace', payload: replace }]);
    const policyIds = Array.from({ length: 1000 }, (_, index) => `p-${index}`);
    await find(2, ...policyIds);
    const { changes, isComplete } = await listAll(0, 2);
    expect(changes).toHaveLength(1000);
    expect(new Set(changes.map(({ madeBy }) => madeBy))).toEqual(new Set([undefined]));
    expect(isComplete).toBe(false);
    expect(await listAll(1, 2)).toMatchObject({ isComplete: true });
    expect(changes).toEqual((await listAll(1, 2)).changes);
  });

  test('leave out requests that sent nothing, and those about other things', async () => {
    const { list } = await startTeam([
      { action: 'policies.replace', payload: replace, sent: '[]' },
      { action: 'users.disable', payload: { userId: 'u-1' } },
    ]);
    expect(await list(0, 9)).toEqual([]);
  });

  test('of one policy are those that others made, until they are too old', async () => {
    const { teamId, changes, find } = await startTeam([]);
    const listed = async () => {
      const found = await changes.listExternal({
        teamId,
        originId: undefined,
        policyId: 'p-1',
        limit: 10,
      });
      return found.map((change) => change.at);
    };
    for (const minute of [1, 2]) await find(minute, 'p-1');
    await find(3, 'p-2');
    expect(await listed()).toEqual([at(2), at(1)]);
    const days = 24 * 60;
    await find(401 * days, 'p-1');
    expect(await listed()).toEqual([at(401 * days)]);
  });
});
