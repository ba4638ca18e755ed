import { addDays } from 'date-fns/addDays';
import { subHours } from 'date-fns/subHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Database } from '../../../src/database/tables.ts';
import { checkReviews } from '../../../src/features/doctor/examine.ts';
import { readUnreviewed } from '../../../src/requests/break-glass/break-glass-store.ts';
import { databases } from '../../support/databases.ts';
import { decideAs, newApproval, noon, onePm, openApprovalStore } from '../store/rows.ts';

const posted = { channelId: 'C1', messageTs: '1.000001' };

async function created(db: Database, changes: Parameters<typeof newApproval>[1] = {}) {
  const { store } = openApprovalStore(db);
  const result = await store.create(
    await newApproval(db, { breakGlassMailbox: 'own', ...changes }),
    { isRepeat: true },
  );
  if (result.result !== 'created') throw new Error(result.result);
  const { teamId, id, connectionId } = result.approval;
  return { store, ref: { teamId, id }, connectionId };
}

async function ended(db: Database) {
  const run = await created(db);
  await run.store.startBreakGlass({ ...run.ref, at: noon });
  await db
    .updateTable('approval')
    .set({ state: 'completed', wake_at: null, finished_at: noon })
    .where('id', '=', run.ref.id)
    .execute();
  return run;
}

describe.each(databases())('runs without approval on $name', ({ open }) => {
  let database: OpenDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await open();
    db = database.db;
  });
  afterAll(() => database.close());

  it('start once, and only if they were made as such and are still pending', async () => {
    const { store, ref } = await created(db);
    const starts = await Promise.all(
      Array.from({ length: 5 }, () => store.startBreakGlass({ ...ref, at: noon })),
    );
    expect(starts.filter((one) => one !== undefined)).toHaveLength(1);
    const other = await created(db, { breakGlassMailbox: undefined });
    expect(await store.startBreakGlass({ ...other.ref, at: noon })).toBeUndefined();
    const late = await created(db);
    await store.voidUnposted({ ...late.ref, at: onePm, outcome: 'Too late.' });
    expect(await store.startBreakGlass({ ...late.ref, at: onePm })).toBeUndefined();
  });

  it('are corrected for an approver who was notified before the process died', async () => {
    const run = await newApproval(db, { breakGlassMailbox: 'own', approvers: ['U_BEN', 'U_CLEO'] });
    const { store } = openApprovalStore(db);
    const result = await store.create(run, { isRepeat: true });
    if (result.result !== 'created') throw new Error(result.result);
    const { approval } = result;
    const { teamId, id } = approval;
    const ref = { teamId, id };
    const ben = { slackUserId: 'U_BEN', kind: 'approver' as const };
    await store.markAnnouncing({ ...ref, ...ben, at: noon });
    await store.recordCopy(approval, ben, posted);
    expect(await store.findBehind(approval)).toEqual([]);
    const voided = await store.voidUnposted({ ...ref, at: onePm, outcome: 'Too late.' });
    if (!voided) throw new Error('the run is not void');
    const claim = await store.claimCopies({ ...ref, at: onePm, until: addDays(onePm, 1) });
    if (!claim) throw new Error('nobody could claim it');
    const behind = await store.findBehind(claim.approval);
    expect(behind).toContainEqual(expect.objectContaining({ ...ben, message: posted }));
  });

  it('are void and corrected in the channel if the process dies before they start', async () => {
    const { store, ref } = await created(db);
    const announced = await store.recordMessage({ ...ref, ...posted });
    expect(await store.findBehind(announced)).toEqual([]);
    expect(await store.claimCopies({ ...ref, at: noon, until: onePm })).toBeUndefined();
    await store.voidUnposted({ ...ref, at: onePm, outcome: 'Interrupted.' });
    expect(await store.startBreakGlass({ ...ref, at: onePm })).toBeUndefined();
    const claim = await store.claimCopies({ ...ref, at: onePm, until: addDays(onePm, 1) });
    if (!claim) throw new Error('nobody could claim it');
    const behind = await store.findBehind(claim.approval);
    expect(behind).toContainEqual(expect.objectContaining({ kind: 'channel', message: posted }));
  });

  it('are decided by nobody', async () => {
    const { store, ref } = await created(db);
    for (const [to, by] of [
      ['approved', 'U_BEN'],
      ['denied', 'U_BEN'],
      ['withdrawn', 'U_REQUESTER'],
    ] as const) {
      const decision = { ...ref, to, by, mailboxHash: by, at: noon };
      expect(await decideAs(store, decision)).toBeUndefined();
    }
  });

  it('are void beyond the limit, and count toward it', async () => {
    const first = await created(db);
    const { teamId } = first.ref;
    const limit = { max: 1, actions: ['users.disable'], since: subHours(noon, 1) };
    const { store } = first;
    await store.startBreakGlass({ ...first.ref, at: noon, limit });
    const { connectionId } = first;
    const second = await created(db, { teamId, connectionId });
    expect(await store.isLimitReached(second.ref, limit)).toBe(true);
    const start = { ...second.ref, ...posted, at: noon, limit };
    expect(await store.startBreakGlass(start)).toBe('limit_reached');
    expect(await store.find(second.ref)).toMatchObject({ state: 'voided', decidedAt: undefined });
  });

  it('are reviewed once, after they ended, by another person with another mailbox', async () => {
    const running = await created(db);
    await running.store.startBreakGlass({ ...running.ref, at: noon });
    const by = { by: 'U_BEN', mailboxHash: 'bens', at: onePm };
    expect(await running.store.review({ ...running.ref, ...by })).toBeUndefined();

    const { store, ref } = await ended(db);
    const own = { ...ref, by: 'U_REQUESTER', mailboxHash: 'new', at: onePm };
    expect(await store.review(own)).toBeUndefined();
    expect(await store.review({ ...ref, ...by, mailboxHash: 'own' })).toBeUndefined();
    const reviews = await Promise.all(
      ['U_BEN', 'U_CLEO', 'U_DAN'].map((one) =>
        store.review({ ...ref, by: one, mailboxHash: one, comment: 'Fine', at: onePm }),
      ),
    );
    const [recorded, ...others] = reviews.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(await store.find(ref)).toEqual(recorded);
    expect(recorded?.breakGlass?.review).toMatchObject({ comment: 'Fine', at: onePm });
    const entries = await db
      .selectFrom('audit_log')
      .select('event')
      .where('approval_id', '=', ref.id)
      .where('event', '=', 'reviewed')
      .execute();
    expect(entries).toHaveLength(1);
  });

  it('are counted until they are reviewed, and doctor warns after a day', async () => {
    const { store, ref, connectionId } = await ended(db);
    const { teamId } = ref;
    const of = { teamId, originId: connectionId };
    expect(await readUnreviewed(db, of)).toMatchObject({ count: 1, oldest: { decidedAt: noon } });
    expect(await readUnreviewed(db, { teamId, originId: ref.id })).toMatchObject({ count: 0 });
    expect(await checkReviews(db, { teamId, now: onePm })).toEqual([]);
    const [finding] = await checkReviews(db, { teamId, now: addDays(onePm, 1) });
    expect(finding?.severity).toBe('warning');
    expect(finding?.text).toMatch(/^1 break-glass run needs review, the oldest since /);
    await store.review({ ...ref, by: 'U_BEN', mailboxHash: 'bens', at: onePm });
    expect(await readUnreviewed(db, of)).toMatchObject({ count: 0 });
    expect(await checkReviews(db, { teamId, now: addDays(onePm, 9) })).toEqual([]);
  });
});
