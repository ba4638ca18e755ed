import { subHours } from 'date-fns/subHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { databases } from '../../support/databases.ts';
import { decideAs, eightPm, newTeamId, onePm, openApprovalStore, pendingRequest } from './rows.ts';

describe.each(databases())('a decision on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: ApprovalStore;
  beforeAll(async () => {
    database = await open();
    ({ store } = openApprovalStore(database.db));
  });
  afterAll(() => database.close());

  const pending = () => pendingRequest(database.db, store);

  it.each([
    { to: 'approved', by: 'U_BEN' },
    { to: 'denied', by: 'U_BEN' },
    { to: 'withdrawn', by: 'U_REQUESTER' },
  ] as const)('$to is recorded with the person, the time and the reason', async ({ to, by }) => {
    const { teamId, id } = await pending();
    const decided = await decideAs(store, {
      teamId,
      id,
      to,
      by,
      mailboxHash: by,
      reason: 'Because.',
      at: onePm,
    });
    expect(decided).toMatchObject({
      state: to,
      decidedBy: by,
      decidedAt: onePm,
      decisionReason: 'Because.',
    });
    expect(await store.find({ teamId, id })).toEqual(decided);
  });

  it.each([
    { to: 'approved', by: 'U_REQUESTER', why: 'nobody approves their own' },
    { to: 'denied', by: 'U_REQUESTER', why: 'nobody denies their own' },
    { to: 'withdrawn', by: 'U_BEN', why: 'only the requester withdraws' },
  ] as const)('$to by $by is refused: $why', async ({ to, by }) => {
    const request = await pending();
    const { teamId, id } = request;
    expect(
      await decideAs(store, { teamId, id, to, by, mailboxHash: by, at: onePm }),
    ).toBeUndefined();
    expect(await store.find(request)).toEqual(request);
  });

  it('is made by exactly one of twenty concurrent calls, and stored as made', async () => {
    const { teamId, id } = await pending();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        decideAs(store, {
          teamId,
          id,
          to: index % 2 === 0 ? 'approved' : 'denied',
          by: `U_${index}`,
          mailboxHash: `${index}`,
          at: onePm,
        }),
      ),
    );
    const winners = outcomes.filter((outcome) => outcome !== undefined);
    expect(winners).toHaveLength(1);
    expect(await store.find({ teamId, id })).toEqual(winners[0]);
    const { version } = await database.db
      .selectFrom('approval')
      .select('version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(version).toBe(1);
  });

  it('is refused from the time of expiry on, and accepted just before', async () => {
    const late = await pending();
    const inTime = await pending();
    const decide = ({ teamId, id }: Approval, at: Date) =>
      decideAs(store, { teamId, id, to: 'approved', by: 'U_BEN', mailboxHash: 'U_BEN', at });
    expect(await decide(late, eightPm)).toBeUndefined();
    expect(await decide(inTime, new Date(eightPm.getTime() - 1))).toMatchObject({
      state: 'approved',
    });
  });

  describe('of an action with a limit per hour', () => {
    const limitAt = (at: Date) => ({
      max: 2,
      actions: ['users.disable'],
      since: subHours(at, 1),
    });

    async function requests(subjects: string[]): Promise<Approval[]> {
      const first = await pendingRequest(database.db, store, { subjectId: subjects[0] ?? '' });
      const { teamId, connectionId } = first;
      const rest = subjects
        .slice(1)
        .map((subjectId) =>
          pendingRequest(database.db, store, { teamId, connectionId, subjectId }),
        );
      return [first, ...(await Promise.all(rest))];
    }
    const approve = ({ teamId, id }: Approval, at = onePm) =>
      decideAs(store, {
        teamId,
        id,
        to: 'approved',
        by: 'U_BEN',
        mailboxHash: 'U_BEN',
        at,
        limit: limitAt(at),
      });

    it('is refused above the limit, and the request stays pending', async () => {
      const all = await requests(['u-1', 'u-2', 'u-3']);
      const outcomes = await Promise.all(all.map((one) => approve(one)));
      expect(outcomes.filter((one) => one === 'limit_reached')).toHaveLength(1);
      const states = await Promise.all(all.map(async (one) => (await store.find(one))?.state));
      expect(states.toSorted()).toEqual(['approved', 'approved', 'pending']);
    });

    it('counts a subject once, and for one hour', async () => {
      const [one, same, other, later] = await requests(['u-1', 'u-1', 'u-2', 'u-3']);
      if (!one || !same || !other || !later) throw new Error('four were asked for');
      expect(await approve(one)).toMatchObject({ state: 'approved' });
      expect(await approve(same)).toMatchObject({ state: 'approved' });
      expect(await approve(other)).toMatchObject({ state: 'approved' });
      expect(await approve(later)).toBe('limit_reached');
      const anHourLater = new Date(onePm.getTime() + 60 * 60 * 1000);
      expect(await approve(later, anHourLater)).toMatchObject({ state: 'approved' });
    });
  });

  it('changes no request of another workspace', async () => {
    const request = await pending();
    const elsewhere = { teamId: newTeamId(), id: request.id };
    const by = { by: 'U_BEN', mailboxHash: 'ben' };
    const decision = { ...elsewhere, ...by, to: 'approved', at: onePm } as const;
    expect(await decideAs(store, decision)).toBeUndefined();
    expect(await store.find(request)).toEqual(request);
  });
});
