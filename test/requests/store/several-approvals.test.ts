import { subHours } from 'date-fns/subHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { databases } from '../../support/databases.ts';
import { decideAs, eightPm, onePm, openApprovalStore, pendingRequest } from './rows.ts';

describe.each(databases())('several approvals on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
  });
  afterAll(() => database.close());

  const pending = (requiredApprovals: number, changes = {}) =>
    pendingRequest(database.db, store, { requiredApprovals, ...changes });
  const approve = ({ teamId, id }: Approval, by: string, mailboxHash = by) =>
    decideAs(store, { teamId, id, to: 'approved', by, mailboxHash, at: onePm });
  const current = async (request: Approval) => {
    const found = await store.find(request);
    if (!found) throw new Error('the request is gone');
    return found;
  };

  it('exactly as many count as are needed, of thirty people at once', async () => {
    const request = await pending(3);
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) => approve(request, `U_${index}`)),
    );
    const counted = made.filter((one) => typeof one === 'object');
    expect(counted.map(({ state }) => state).toSorted()).toEqual([
      ...['approved', 'pending', 'pending'],
    ]);
    expect(made.filter((one) => one === undefined)).toHaveLength(27);
    const now = await current(request);
    expect(now).toMatchObject({
      state: 'approved',
      version: 3,
      runs: [{ wakeAt: onePm }],
    });
    expect(new Set(now.votes.map(({ by }) => by)).size).toBe(3);
    expect(now.votes.at(-1)?.by).toBe(now.decidedBy);
  });

  it.each([
    { what: 'one account', of: () => ['U_BEN', 'ben'] },
    { what: 'accounts of one mailbox', of: (index: number) => [`U_${index}`, 'ben'] },
    { what: 'one account with changing mailboxes', of: (index: number) => ['U_BEN', `${index}`] },
  ])('$what count once, of twenty clicks at once', async ({ of }) => {
    const request = await pending(2);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const [by = '', mailboxHash] = of(index);
        return approve(request, by, mailboxHash);
      }),
    );
    expect(made.filter((one) => one === 'already_approved')).toHaveLength(19);
    expect(await current(request)).toMatchObject({ state: 'pending', version: 1, wakeAt: eightPm });
  });

  it("neither the requester's approval counts, nor one after the request expired", async () => {
    const request = await pending(2);
    const { teamId, id } = request;
    expect(await approve(request, 'U_REQUESTER')).toBeUndefined();
    const late = { by: 'U_BEN', mailboxHash: 'ben', at: eightPm };
    expect(await decideAs(store, { teamId, id, to: 'approved', ...late })).toBeUndefined();
    expect(await current(request)).toEqual(request);
  });

  it('a denial and an approval at once leave the request denied', async () => {
    const request = await pending(2);
    const { teamId, id } = request;
    const by = { by: 'U_CLEO', mailboxHash: 'cleo' };
    await Promise.all([
      approve(request, 'U_BEN'),
      store.decide({ teamId, id, to: 'denied', ...by, at: onePm }),
    ]);
    expect(await approve(request, 'U_DAN')).toBeUndefined();
    expect(await current(request)).toMatchObject({ state: 'denied', decidedBy: 'U_CLEO' });
  });

  it('counts toward the limit per hour once it is approved', async () => {
    const first = await pending(2, { subjectId: 'u-1' });
    const { teamId, connectionId } = first;
    const second = await pending(2, { subjectId: 'u-2', teamId, connectionId });
    const limit = { max: 1, actions: ['users.disable'], since: subHours(onePm, 1) };
    const limited = ({ id }: Approval, by: string) =>
      decideAs(store, { teamId, id, to: 'approved', by, mailboxHash: by, at: onePm, limit });
    expect(await limited(first, 'U_BEN')).toMatchObject({ state: 'pending' });
    expect(await limited(second, 'U_BEN')).toMatchObject({ state: 'pending' });
    const last = await Promise.all([limited(first, 'U_CLEO'), limited(second, 'U_CLEO')]);
    expect(last.filter((one) => one === 'limit_reached')).toHaveLength(1);
    const states = await Promise.all(
      [first, second].map(async (one) => (await current(one)).state),
    );
    expect(states.toSorted()).toEqual(['approved', 'pending']);
  });
});
