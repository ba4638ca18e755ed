import { expect, inject, it, onTestFinished } from 'vitest';
import { openFromTemplate } from '../../support/database-template.ts';
import { eightPm, onePm, openApprovalStore, pendingRequest } from './rows.ts';

it('deletes requests that ended long ago, and none that Belay still works on', async () => {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const { store } = openApprovalStore(db);
  const remaining = async () => {
    const rows = await db.selectFrom('approval').select('state').orderBy('state').execute();
    return rows.map(({ state }) => state);
  };
  const request = () => pendingRequest(db, store);
  const finish = async (state: 'outcome_unknown' | 'completed', wakeAt: Date | null) => {
    const { id } = await request();
    await db
      .updateTable('approval')
      .set({ state, finished_at: onePm, wake_at: null })
      .where('id', '=', id)
      .execute();
    await db
      .updateTable('run')
      .set({ state, finished_at: onePm, wake_at: wakeAt })
      .where('id', '=', id)
      .execute();
  };
  await request();
  const { teamId, id } = await request();
  await store.decide({ teamId, id, to: 'denied', by: 'U_BEN', mailboxHash: 'U_BEN', at: onePm });
  await finish('completed', null);
  await finish('outcome_unknown', null);
  await finish('outcome_unknown', eightPm);

  await store.prune(onePm);
  expect(await remaining()).toHaveLength(5);
  await store.prune(eightPm);
  expect(await remaining()).toEqual(['outcome_unknown', 'pending']);
  expect(await store.find({ teamId, id })).toBeUndefined();
  const logged = await db
    .selectFrom('audit_log')
    .select('event')
    .where('approval_id', '=', id)
    .execute();
  expect(logged).toHaveLength(2);
});
