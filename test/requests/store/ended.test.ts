import { expect, it, onTestFinished } from 'vitest';
import { openAnyDatabase } from '../../support/databases.ts';
import {
  decideAs,
  eightPm,
  newApproval,
  noon,
  onePm,
  openApprovalStore,
  pendingRequest,
} from './rows.ts';

const lease = { until: eightPm, holder: 'replica-1' };

async function open() {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const { store, ended } = openApprovalStore(db);
  const request = await pendingRequest(db, store);
  const ref = { teamId: request.teamId, id: request.id };
  const decide = (to: 'approved' | 'denied' | 'withdrawn', by = 'U_BEN') =>
    decideAs(store, { ...ref, to, by, mailboxHash: by, at: onePm });
  return { db, store, ended, ref, decide };
}

it.each([
  ['denied', 'U_BEN'],
  ['withdrawn', 'U_REQUESTER'],
] as const)('what depends on a request hears that it was %s', async (to, by) => {
  const { decide, ended } = await open();
  await decide(to, by);
  expect(ended).toMatchObject([{ state: to }]);
});

it('what depends on a request hears that it expired, was voided or never posted', async () => {
  const { db, store, ended, ref } = await open();
  await store.expire({ ...ref, at: eightPm });
  const [unposted, discarded] = [await newApproval(db), await newApproval(db)];
  await store.create(unposted);
  await store.voidUnposted({ ...unposted, at: onePm, outcome: 'It was not posted.' });
  await store.create(discarded);
  await store.discard({ ...discarded, at: noon });
  expect(ended.map(({ id }) => id)).toEqual([ref.id, unposted.id, discarded.id]);
});

it('what depends on a request hears of an unknown outcome only when nobody checks it any more', async () => {
  const { store, decide, ended, ref } = await open();
  await decide('approved');
  await store.begin({ ...ref, lease, at: onePm });
  const unknown = { outcome: 'Belay was interrupted.', wakeAt: eightPm };
  const marked = await store.markOutcomeUnknown({ ...ref, ...unknown, at: eightPm });
  expect(ended).toEqual([]);
  await store.giveUp({ ...ref, seenVersion: marked?.version ?? 0, at: eightPm });
  expect(ended).toMatchObject([{ state: 'outcome_unknown' }]);
});
