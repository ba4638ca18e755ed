import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import { erasePersonalText } from '../../src/audit-log/erase-personal-text.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { approvableActions } from '../../src/features/actions/index.ts';
import { setupActions } from '../../src/features/setup/index.ts';
import {
  disable,
  enable,
  remove,
  rename,
  userActions,
} from '../../src/features/users/user-actions.ts';
import { createActionBinder } from '../../src/requests/define-action.ts';
import { createEraseRequests } from '../../src/requests/store/erase-requests.ts';
import { sampleChange } from '../features/setup/sample-change.ts';
import { logKeys, onePm, openApprovalStore, pendingRequest } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';
import { writeSomeLog } from './logged-team.ts';

const append = createAppendEntry(logKeys);
const by = { actor: 'U_OPS' };
const onErased = createEraseRequests(approvableActions);

const actions = [disable, enable, rename, remove];
const jsonSchema = z.object({
  properties: z.record(z.string(), z.object({ type: z.enum(['string', 'integer']) })),
});

/** Every payload of the action; every text but the id is personal. */
function canaryPayload(schema: z.ZodType): Record<string, unknown> {
  const { properties } = jsonSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
  const filled = Object.entries(properties).map(([field, { type }]) => [
    field,
    type === 'string' ? `canary ${field}` : 5,
  ]);
  return { ...Object.fromEntries(filled), id: '7' };
}

describe.each(databases())('erasing personal text on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const erase = (teamId: string, entries: number[]) =>
    erasePersonalText({ db: database.db, append, onErased }, { teamId, entries, at: onePm, by });

  const reportOf = async (teamId: string) => {
    const reports = await verifyAuditLog(database.db, logKeys, []);
    return reports.find((report) => report.teamId === teamId);
  };

  it('leaves the log intact and records what was erased', async () => {
    const teamId = await writeSomeLog(database.db, logKeys, 5);
    // Every other entry has a text.
    expect(await erase(teamId, [5, 2, 1, 99])).toEqual([1, 5]);
    expect(await reportOf(teamId)).toMatchObject({
      entries: 6,
      erasedTexts: 2,
      firstBreak: undefined,
    });
    const last = await database.db
      .selectFrom('audit_log')
      .select(['event', 'actor', 'at', 'facts'])
      .where('team_id', '=', teamId)
      .where('seq', '=', 6)
      .executeTakeFirst();
    expect(last).toEqual({
      event: 'erased',
      actor: 'U_OPS',
      at: onePm,
      facts: { entries: ['1', '5'] },
    });
  });

  it('also erases the text from finished requests, but not from open ones', async () => {
    const { db } = database;
    const { store } = openApprovalStore(db);
    const reason = 'canary: left for a rival';
    const payload = { id: '7', fullName: 'Canary Silva', email: 'canary@example.com' };
    const ended = await pendingRequest(db, store, { reason, payload });
    const open = await pendingRequest(db, store, {
      reason,
      payload,
      teamId: ended.teamId,
      connectionId: ended.connectionId,
    });
    const { teamId, id } = ended;
    await store.decide({
      teamId,
      id,
      to: 'denied',
      by: 'U_BEN',
      mailboxHash: 'U_BEN',
      reason: 'canary',
      at: onePm,
    });
    await erasePersonalText(
      { db, append, onErased },
      { teamId, entries: [1, 2, 3], at: onePm, by },
    );
    expect(JSON.stringify(await store.find(ended))).not.toMatch(/canary/i);
    expect(await store.find(ended)).toMatchObject({
      state: 'denied',
      runs: [{ payload: { id: '7' } }],
    });
    expect(await store.find(open)).toMatchObject({ reason, runs: [{ payload }] });
  });

  it.each(actions)('leaves a valid payload of $name, without names', async (action) => {
    const { db } = database;
    const { store } = openApprovalStore(db);
    const payload = canaryPayload(action.payload);
    expect(action.payload.parse(payload)).toEqual(payload);
    const { teamId, id } = await pendingRequest(db, store, { action: action.name, payload });
    await store.decide({
      teamId,
      id,
      to: 'withdrawn',
      by: 'U_REQUESTER',
      mailboxHash: 'U_REQUESTER',
      at: onePm,
    });
    await erasePersonalText({ db, append, onErased }, { teamId, entries: [1], at: onePm, by });
    const left = await store.find({ teamId, id });
    if (!left) throw new Error('the request is gone');
    expect(JSON.stringify(left)).not.toContain('canary');
    const bound = createActionBinder(approvableActions)(left);
    expect(bound).toMatchObject({ subjectId: '7', summary: expect.stringContaining('id 7') });
  });

  it('leaves a valid payload of setup.change, without owners of tokens', async () => {
    const { db } = database;
    const { store } = openApprovalStore(db);
    const owners = { tokenOwnerBefore: 'canary@old', tokenOwnerAfter: 'canary@new' };
    const payload = { ...sampleChange('x', owners), decidedBy: 'admins' };
    const action = setupActions['setup.change'].name;
    const { teamId, id } = await pendingRequest(db, store, { action, payload });
    await store.decide({
      teamId,
      id,
      to: 'withdrawn',
      by: 'U_REQUESTER',
      mailboxHash: 'U_REQUESTER',
      at: onePm,
    });
    await erasePersonalText({ db, append, onErased }, { teamId, entries: [1], at: onePm, by });
    const left = await store.find({ teamId, id });
    expect(left?.runs).toMatchObject([{ payload: { changeId: payload.changeId } }]);
    expect(JSON.stringify(left)).not.toContain('canary');
    if (left) setupActions['setup.change'].bind({ ...left.runs[0], snapshot: undefined });
  });

  it('covers all actions of one user', () => {
    expect(actions.map(({ name }) => name)).toEqual(Object.keys(userActions));
  });

  it('adds nothing to the log when there is nothing to erase', async () => {
    const teamId = await writeSomeLog(database.db, logKeys, 2);
    expect(await erase(teamId, [2])).toEqual([]);
    expect(await reportOf(teamId)).toMatchObject({ entries: 2, erasedTexts: 0 });
  });

  it('does not affect other teams', async () => {
    const teamId = await writeSomeLog(database.db, logKeys, 1);
    const other = await writeSomeLog(database.db, logKeys, 1);
    await erase(teamId, [1]);
    expect(await reportOf(other)).toMatchObject({ entries: 1, erasedTexts: 0 });
  });
});
