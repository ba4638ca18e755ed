import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { advanceRun } from '../../../src/requests/run/advance-approval.ts';
import { createVoidSetupChanges } from '../../../src/requests/store/void-waiting.ts';
import { changedApprovals } from '../../../src/workspace/compare-rules.ts';
import { type ActionRule, defaultRule } from '../../../src/workspace/rules.ts';
import { defaultAccess } from '../../../src/workspace/settings/document.ts';
import { databases } from '../../support/databases.ts';
import { contextWith } from '../context-with.ts';
import { decideAs, noon, onePm, openApprovalStore, pendingRequest } from '../store/rows.ts';

describe.each(databases())('rules on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const rule: ActionRule = { ...defaultRule, hoursToRun: 2 };
  const payload = { id: 'u-1', graceMinutes: 30 };

  async function approved(changes: object = {}) {
    const { store } = openApprovalStore(database.db);
    const about = { action: 'users.delete', payload, snapshot: undefined };
    const { teamId, id } = await pendingRequest(database.db, store, { ...about, rule, ...changes });
    const decision = { to: 'approved', by: 'U1', mailboxHash: 'one', at: noon } as const;
    await decideAs(store, { teamId, id, ...decision });
    return { store, ref: { teamId, id } };
  }

  /** What becomes of it when Belay comes back at this time; nothing can be sent. */
  async function comeBack({ store, ref }: Awaited<ReturnType<typeof approved>>, at: Date) {
    await advanceRun(ref, contextWith({ store, clock: () => at }));
    return (await store.findRun(ref))?.runs[0];
  }

  test('a change that could not start in time is void', async () => {
    const request = await approved();
    const found = await comeBack(request, addHours(noon, 2));
    expect(found?.state).toBe('voided');
    expect(found?.outcome).toContain("Belay couldn't start the change within 2 hours");
  });

  test('before that, and without a rule, it starts', async () => {
    const early = await comeBack(await approved(), addMinutes(noon, 119));
    expect(early?.state).not.toBe('voided');
    const old = await comeBack(await approved({ rule: undefined }), addHours(noon, 100));
    expect(old?.state).not.toBe('voided');
  });

  async function scheduled() {
    const request = await approved();
    const lease = { holder: 'h', until: onePm };
    await request.store.begin({ ...request.ref, lease, at: noon });
    await request.store.finish({
      ...request.ref,
      holder: 'h',
      to: 'scheduled',
      step: 'delete',
      outcome: '',
      wakeAt: onePm,
      at: noon,
    });
    return request;
  }

  test('a late deletion is postponed within that time, and void after it', async () => {
    const late = await scheduled();
    const postponed = await comeBack(late, addMinutes(onePm, 119));
    expect(postponed?.state).toBe('scheduled');
    expect(postponed?.wakeAt).toEqual(addMinutes(onePm, 129));
    expect((await comeBack(late, addMinutes(onePm, 128)))?.state).toBe('scheduled');
    // Postponed for the time to cancel: the limit counts from then on.
    expect((await comeBack(late, addMinutes(onePm, 129)))?.state).not.toBe('voided');
    const lost = await comeBack(await scheduled(), addHours(onePm, 2));
    expect(lost?.state).toBe('voided');
  });

  test('a cancellation is never too late', async () => {
    const request = await scheduled();
    const { store, ref } = request;
    const { teamId, id } = ref;
    await store.cancelScheduled({
      teamId,
      id,
      by: 'U1',
      firstStep: 'disable',
      step: 'cancel',
      at: noon,
    });
    expect((await comeBack(request, addHours(noon, 100)))?.state).not.toBe('voided');
  });

  test('a save of the setup voids the requests of changed rules alone', async () => {
    const { store } = openApprovalStore(database.db);
    const disable = await pendingRequest(database.db, store, { action: 'users.disable' });
    const { teamId, connectionId } = disable;
    const same = { teamId, connectionId };
    const enable = await pendingRequest(database.db, store, { ...same, action: 'users.enable' });
    const approvals = [{ from: ['SSEC', 'U1'], count: 1 }];
    const before = { ...defaultAccess, rules: { 'users.enable': { ...defaultRule, approvals } } };
    const reordered = [{ from: ['U1', 'SSEC'], count: 1 }];
    const after = {
      ...defaultAccess,
      rules: {
        'users.enable': { ...defaultRule, approvals: reordered, hoursToDecide: 4 },
        'users.disable': { ...defaultRule, approvals },
      },
    };
    const changedRules = changedApprovals(before, after);
    expect(changedRules).toEqual(['users.disable']);
    const ended: Approval[] = [];
    const voidOutdated = createVoidSetupChanges({
      onChanged: async () => undefined,
      onEnded: async (_, approval) => void ended.push(approval),
    });
    const change = { teamId, by: 'U1', at: noon, append: async () => undefined, changedRules };
    const voided = await database.db.transaction().execute((trx) => voidOutdated(trx, change));
    expect(voided).toEqual([{ teamId, id: disable.id }]);
    expect(ended.map(({ runs: [{ outcome }] }) => outcome)).toEqual([
      'Voided because the rule for this action changed. Submit the request again.',
    ]);
    expect((await store.find(enable))?.state).toBe('pending');
  });
});
