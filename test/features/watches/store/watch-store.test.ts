import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import { createPollStore } from '../../../../src/features/watches/store/poll-store.ts';
import { alertWatches } from '../../../../src/features/watches/store/watch-kinds.ts';
import {
  createWatchStore,
  type NewWatch,
} from '../../../../src/features/watches/store/watch-store.ts';
import type { AlertFacts, Anchor } from '../../../../src/features/watches/watch.ts';
import type { Destination, Outgoing } from '../../../../src/postings/outbox/message.ts';
import { createTokenCipher } from '../../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../../src/workspace/store/workspace-store.ts';
import { logKeys, newSetup, newTeamId, noon, onePm } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

const search = { status: 'active', sort: '-updated', words: [] } as const;
const facts: AlertFacts = {
  updatedAt: noon,
  raisedCount: 1,
  severity: 'error',
  notesHash: undefined,
  isCleared: false,
};
const anchor: Anchor = { highWater: noon, alertId: 'a0', known: [{ alertKey: 'a0', facts }] };

describe.each(databases())('the watch store on $name', ({ open }) => {
  let database: OpenDatabase;
  let queued: ({ to: Destination } & Outgoing)[] = [];
  let isQueueBroken = false;
  const enqueueMessages = async (_: unknown, to: Destination, outgoing: Outgoing[]) => {
    if (isQueueBroken) throw new Error('the queue is broken');
    queued.push(...outgoing.map((one) => ({ to, ...one })));
    return outgoing.map(({ subject }) => ({ subject, as: 'summary' as const }));
  };
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    queued = [];
    isQueueBroken = false;
    for (const table of ['watched_alert', 'watch', 'alert_poll'] as const) {
      await database.db.deleteFrom(table).execute();
    }
  });
  afterAll(() => database.close());

  const store = () => createWatchStore(database.db, { enqueueMessages, isServed: serveAll });
  const polls = () =>
    createPollStore(database.db, {
      enqueueMessages,
      append: createAppendEntry(logKeys),
      isServed: serveAll,
    });

  async function connect(teamId = newTeamId()) {
    const setup = newSetup({ teamId });
    const workspaces = createWorkspaceStore(database.db, createTokenCipher(logKeys), {
      append: createAppendEntry(logKeys),
      isServed: serveAll,
      onConnectionReplaced: async () => [],
      onConnectionRemoved: async () => undefined,
      onSetupSaved: async () => [],
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
    });
    await workspaces.saveSetup(setup);
    const connectionId = setup.connection?.id ?? '';
    return { teamId, connectionId, originId: connectionId };
  }

  const newWatch = (
    of: { teamId: string; connectionId: string; originId: string },
    changes: Partial<NewWatch> = {},
  ) => ({
    id: randomUUID(),
    channelId: 'C1',
    search: { ...search, words: [] },
    createdBy: 'U_ANA',
    anchor,
    at: noon,
    ...of,
    ...changes,
  });
  const create = (watch: NewWatch, max = 20) => store().create(watch, { max });
  const claim = async (holder: string, at = onePm) => {
    await polls().prepare(at);
    const lease = { holder, at, until: new Date(at.getTime() + 60_000) };
    const [poll] = await polls().leaseDue(lease, 1);
    return poll && { ...poll, ...(await polls().readWatches(poll)) };
  };
  const stored = () => database.db.selectFrom('watched_alert').selectAll().execute();

  it('stores a watch and enqueues its notice', async () => {
    const of = await connect();
    const watch = newWatch(of, {
      search: { ...search, severities: ['error'], words: ['“ü” \\ 🙂'] },
    });
    const created = await create(watch);
    expect(created).toMatchObject({ result: 'created', item: { search: watch.search } });
    expect(await store().list({ teamId: of.teamId, channelId: 'C1' })).toEqual([
      { ...(await store().find({ teamId: of.teamId, id: watch.id })), outage: undefined },
    ]);
    expect(await stored()).toMatchObject([{ alert_key: 'a0', notified_as: 'none' }]);
    expect(queued).toMatchObject([
      { to: { teamId: of.teamId, channelId: 'C1', ownerSlackUserId: 'U_ANA' } },
    ]);
    expect(await store().find({ teamId: newTeamId(), id: watch.id })).toBeUndefined();
  });

  it('limits a channel to one watch per filter and a maximum, also with concurrent calls', async () => {
    const of = await connect();
    const same = await Promise.all([1, 2, 3].map(() => create(newWatch(of))));
    expect(same.map(({ result }) => result).toSorted()).toEqual(['created', 'exists', 'exists']);
    const others = ['a', 'b', 'c'].map((word) =>
      newWatch(of, { search: { ...search, words: [word] } }),
    );
    const more = await Promise.all(others.map((one) => create(one, 3)));
    expect(more.filter(({ result }) => result === 'created')).toHaveLength(2);
    expect(more.filter(({ result }) => result === 'too-many')).toHaveLength(1);
    expect(queued).toHaveLength(3);
  });

  it('changes and ends a watch once, and deletes the alerts of an ended watch', async () => {
    const of = await connect();
    const watch = newWatch(of);
    await create(watch);
    const other = newWatch(of, { search: { ...search, words: ['x'] } });
    await create(other);
    const by = { teamId: of.teamId, id: watch.id, by: 'U_BEN', at: onePm };
    const words = (...all: string[]) => ({ ...search, words: all });
    expect(await store().change({ ...by, search: words('x') })).toMatchObject({
      result: 'duplicate',
      watch: { id: other.id },
    });
    expect(await store().change({ ...by, search: words('y') })).toMatchObject({
      result: 'changed',
      watch: { search: { words: ['y'] }, changedBy: 'U_BEN', changedAt: onePm },
    });
    expect(await Promise.all([store().end(by), store().end(by)])).toContain(undefined);
    expect(await store().change({ ...by, search: words('z') })).toBeUndefined();
    expect(await store().find(by)).toBeUndefined();
    expect((await stored()).map((row) => row.watch_id)).toEqual([other.id]);
  });

  it('lets one process poll a connection until its lease expires', async () => {
    const of = await connect();
    await create(newWatch(of));
    const claims = await Promise.all(['p1', 'p2', 'p3'].map((holder) => claim(holder)));
    const [taken, ...more] = claims.filter((one) => one !== undefined);
    expect(more).toEqual([]);
    const { teamId, connectionId } = of;
    expect(taken).toMatchObject({
      teamId,
      connectionId,
      watches: [{ highWater: noon }],
      orphans: [],
    });
    const later = new Date(onePm.getTime() + 60_000);
    const successor = await claim('successor', later);
    expect(successor).toBeDefined();
    if (!taken || !successor) return;
    const page = { watches: taken.watches, alerts: [], at: later, leaseUntil: later };
    expect(await polls().recordPage(taken, page)).toBe(false);
    expect(await polls().recordPage(successor, page)).toBe(true);
  });

  it('stores and enqueues a page in one transaction', async () => {
    const of = await connect();
    await create(newWatch(of));
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    const alerts = ['a1', 'a2'].map((key) => ({
      key,
      alert: { id: key, severity: 'dire\0', otherFields: {} },
      readAt: onePm,
    }));
    const page = { watches: poll.watches, alerts, at: onePm, leaseUntil: onePm };
    isQueueBroken = true;
    await expect(polls().recordPage(poll, page)).rejects.toThrow('broken');
    expect(await stored()).toHaveLength(1);
    isQueueBroken = false;
    queued = [];
    expect(await polls().recordPage(poll, page)).toBe(true);
    expect(queued).toHaveLength(2);
    expect(await stored()).toHaveLength(3);
    const [watch] = await store().list({ teamId: of.teamId, channelId: 'C1' });
    expect(watch).toMatchObject({ postedCount: 0, countedCount: 2 });
  });

  it('records nothing for a watch that was ended or paused meanwhile', async () => {
    const of = await connect();
    const [ending, pausing] = [newWatch(of), newWatch(of, { channelId: 'C2' })];
    for (const one of [ending, pausing]) await create(one);
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    await store().end({ teamId: of.teamId, id: ending.id, by: 'U_ANA', at: onePm });
    const paused = await database.db
      .transaction()
      .execute((trx) =>
        alertWatches.pause(trx, { ...of, channelId: 'C2' }, { reason: 'gone', at: onePm }),
      );
    expect(paused).toMatchObject([{ created_by: 'U_ANA' }]);
    queued = [];
    const alerts = [{ key: 'a1', alert: { id: 'a1', otherFields: {} }, readAt: onePm }];
    const { watches } = poll;
    await polls().recordPage(poll, { watches, alerts, at: onePm, leaseUntil: onePm });
    expect(queued).toEqual([]);
    await polls().release(poll, noon);
    expect(await claim('p2')).toBeUndefined();
  });

  it('returns the watches of a replaced connection as orphans of the new one', async () => {
    const of = await connect();
    const watch = newWatch(of);
    await create(watch);
    const { connectionId } = await connect(of.teamId);
    const poll = await claim('p1');
    expect(poll).toMatchObject({
      connectionId,
      watches: [],
      orphans: [{ watches: [{ id: watch.id }] }],
    });
    if (!poll) return;
    const moved = { ...anchor, highWater: onePm, known: [] };
    const watches = poll.orphans.flatMap((orphan) => orphan.watches);
    const restarting = { watches, anchor: moved };
    expect(await polls().moveWatches(poll, { resuming: [], restarting, at: onePm })).toBe(true);
    expect(await store().find(watch)).toMatchObject({ connectionId, anchor: onePm });
    expect(await stored()).toEqual([]);
  });

  it('does not touch watches that were moved while the old connection was polled', async () => {
    const of = await connect();
    await create(newWatch(of));
    const old = await claim('old');
    await connect(of.teamId);
    const successor = await claim('successor');
    if (!old || !successor) throw new Error('nothing to poll');
    const resuming = successor.orphans.flatMap((orphan) => orphan.watches);
    const plan = { resuming, restarting: undefined, at: onePm };
    expect(await polls().moveWatches(successor, plan)).toBe(true);
    queued = [];
    const alerts = [{ key: 'a1', alert: { id: 'a1', otherFields: {} }, readAt: onePm }];
    const { watches } = old;
    await polls().recordPage(old, { watches, alerts, at: onePm, leaseUntil: onePm });
    const notice = { subject: 'refused', message: { text: 'refused' } };
    const failure = { of: old, isFailedLookup: false, reason: 'refused', at: onePm };
    await polls().fail(old, { ...failure, noticeFor: () => notice });
    expect(queued).toEqual([]);
  });

  it('stores an outage whose reason has characters that PostgreSQL refuses', async () => {
    const of = await connect();
    await create(newWatch(of));
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    const failure = { of: poll, isFailedLookup: false, at: onePm, noticeFor: undefined };
    await polls().fail(poll, { ...failure, reason: 'half \0 a \ud83d word' });
    const [listed] = await store().list({ teamId: of.teamId, channelId: 'C1' });
    expect(listed?.outage).toEqual({ reason: 'half \ufffd a \ufffd word', since: onePm });
  });

  it('never moves a high-water mark back, and prunes only rows past the cutoffs', async () => {
    const of = await connect();
    const watch = newWatch(of);
    await create(watch);
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    const done = { watches: poll.watches, startedAt: onePm, at: onePm, nextPollAt: onePm };
    const back = { at: new Date(noon.getTime() - 1000), alertId: 'older' };
    await polls().finish(poll, { ...done, highWater: back });
    expect(await store().find(watch)).toMatchObject({ highWater: noon, highWaterAlertId: 'a0' });
    await store().prune({ cleared: onePm, all: noon });
    expect(await stored()).toHaveLength(1);
    await database.db.updateTable('watched_alert').set({ is_cleared: true }).execute();
    await store().prune({ cleared: onePm, all: noon });
    expect(await stored()).toEqual([]);
  });

  it('prunes watches that ended before the cutoff', async () => {
    const of = await connect();
    const [open, ended] = [newWatch(of), { ...newWatch(of), channelId: 'C2' }];
    await create(open);
    await create(ended);
    await store().end({ ...ended, by: 'U1', at: noon });
    await store().prune({ cleared: noon, all: noon });
    const ids = async () => {
      const rows = await database.db
        .selectFrom('watch')
        .select('id')
        .where('team_id', '=', of.teamId)
        .execute();
      return rows.map(({ id }) => id);
    };
    expect(await ids()).toHaveLength(2);
    await store().prune({ cleared: noon, all: onePm });
    expect(await ids()).toEqual([open.id]);
  });
});
