import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAppendToLog } from '../../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { createPollStore } from '../../../../src/features/watches/store/poll-store.ts';
import { pauseWatches } from '../../../../src/features/watches/store/watch-pausing.ts';
import { createWatchStore } from '../../../../src/features/watches/store/watch-store.ts';
import type { AlertFacts, Judge } from '../../../../src/features/watches/watch.ts';
import type { Anchor, NewWatch, Tell } from '../../../../src/features/watches/watch-store.ts';
import { createTokenCipher } from '../../../../src/features/workspaces/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../../src/features/workspaces/store/workspace-store.ts';
import type { Destination, Outgoing } from '../../../../src/outbox/message.ts';
import { databases } from '../../../support/databases.ts';
import { logKeys, newSetup, newTeamId, noon, onePm } from '../../approvals/store/rows.ts';

const search = { status: 'active', sort: '-updated', words: [] } as const;
const facts: AlertFacts = {
  ...{ updatedAt: noon, raisedCount: 1, severity: 'error' },
  ...{ notesDigest: undefined, isCleared: false },
};
const anchor: Anchor = { highWater: noon, alertId: 'a0', known: [{ alertKey: 'a0', facts }] };
const tell: Tell = ({ id }) => ({ subject: `told:${id}`, message: { text: 'told' } });

describe.each(databases())('the watch store on $name', ({ open }) => {
  let database: OpenDatabase;
  let queued: ({ to: Destination } & Outgoing)[] = [];
  let isQueueBroken = false;
  const enqueueMessages = async (_: unknown, to: Destination, outgoing: Outgoing[]) => {
    if (isQueueBroken) throw new Error('the queue is broken');
    queued.push(...outgoing.map((one) => ({ to, ...one })));
    return outgoing.map(({ subject }) => ({ subject, as: 'counted' as const }));
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

  const store = () => createWatchStore(database.db, { enqueueMessages });
  const polls = () => createPollStore(database.db, { enqueueMessages });

  async function connect(teamId = newTeamId()) {
    const setup = newSetup({ teamId });
    const workspaces = createWorkspaceStore(database.db, createTokenCipher(logKeys), {
      append: createAppendToLog(logKeys),
      onConnectionReplaced: async () => [],
      onApproversChanged: async () => undefined,
    });
    await workspaces.saveSetup(setup);
    return { teamId, connectionId: setup.connection?.id ?? '' };
  }

  const wish = (of: { teamId: string; connectionId: string }, changes: Partial<NewWatch> = {}) => ({
    ...{ id: randomUUID(), enterpriseId: 'E1', channelId: 'C1', search: { ...search, words: [] } },
    ...{ createdBy: 'U_ANA', at: noon, ...of, ...changes },
  });
  const create = (watch: NewWatch, atMost = 20) => store().create(watch, { anchor, tell, atMost });
  const claim = (holder: string, at = onePm) =>
    polls().claim({ holder, at, until: new Date(at.getTime() + 60_000) });
  const remembered = () => database.db.selectFrom('watched_alert').selectAll().execute();

  it('gives back what was set up, and tells the channel', async () => {
    const of = await connect();
    const watch = wish(of, { search: { ...search, severities: ['error'], words: ['“ü” \\ 🙂'] } });
    const created = await create(watch);
    expect(created).toMatchObject({ result: 'created', watch: { search: watch.search } });
    expect(await store().list({ teamId: of.teamId, channelId: 'C1' })).toEqual([
      { ...(await store().find({ teamId: of.teamId, id: watch.id })), trouble: undefined },
    ]);
    expect(await remembered()).toMatchObject([{ alert_key: 'a0', notified_as: 'not_told' }]);
    expect(queued).toMatchObject([
      { to: { teamId: of.teamId, channelId: 'C1', ownerSlackUserId: 'U_ANA' } },
    ]);
    expect(await store().find({ teamId: newTeamId(), id: watch.id })).toBeUndefined();
  });

  it('has one watch of a filter, and so many in a channel, also when all come at once', async () => {
    const of = await connect();
    const same = await Promise.all([1, 2, 3].map(() => create(wish(of))));
    expect(same.map(({ result }) => result).toSorted()).toEqual([
      'created',
      'duplicate',
      'duplicate',
    ]);
    const others = ['a', 'b', 'c'].map((word) =>
      wish(of, { search: { ...search, words: [word] } }),
    );
    const more = await Promise.all(others.map((one) => create(one, 3)));
    expect(more.filter(({ result }) => result === 'created')).toHaveLength(2);
    expect(more.filter(({ result }) => result === 'too-many')).toHaveLength(1);
    expect(queued).toHaveLength(3);
  });

  it('changes and ends a watch once, and forgets what an ended one has seen', async () => {
    const of = await connect();
    const watch = wish(of);
    await create(watch);
    const other = wish(of, { search: { ...search, words: ['x'] } });
    await create(other);
    const by = { teamId: of.teamId, id: watch.id, by: 'U_BEN', at: onePm, tell };
    const words = (...all: string[]) => ({ ...search, words: all });
    expect(await store().change({ ...by, search: words('x') })).toBe('duplicate');
    expect(await store().change({ ...by, search: words('y') })).toMatchObject({
      ...{ search: { words: ['y'] }, changedBy: 'U_BEN', changedAt: onePm },
    });
    expect(await Promise.all([store().end(by), store().end(by)])).toContain(false);
    expect(await store().change({ ...by, search: words('z') })).toBeUndefined();
    expect(await store().find(by)).toBeUndefined();
    expect((await remembered()).map((row) => row.watch_id)).toEqual([other.id]);
  });

  it('gives a connection to one poller at a time, until its lease runs out', async () => {
    const of = await connect();
    await create(wish(of));
    const claims = await Promise.all(['p1', 'p2', 'p3'].map((holder) => claim(holder)));
    const [taken, ...more] = claims.filter((one) => one !== undefined);
    expect(more).toEqual([]);
    expect(taken).toMatchObject({ ...of, watches: [{ highWater: noon }], strays: [] });
    const later = new Date(onePm.getTime() + 60_000);
    const heir = await claim('heir', later);
    expect(heir).toBeDefined();
    if (!taken || !heir) return;
    const page = { watches: taken.watches, alerts: [], at: later, leaseUntil: later };
    const judge: Judge = () => undefined;
    expect(await polls().recordPage(taken, { ...page, judge })).toBe(false);
    expect(await polls().recordPage(heir, { ...page, judge })).toBe(true);
  });

  it('remembers and queues a page together, or neither', async () => {
    const of = await connect();
    await create(wish(of));
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    const alerts = ['a1', 'a2'].map((key) => ({
      key,
      alert: { id: key, otherFields: {} },
      readAt: onePm,
    }));
    const judge: Judge = ({ id }, { alert }) => ({
      facts: { ...facts, severity: 'dire\0' },
      outgoing: { subject: `${id}:${alert.id}`, message: { text: 'new' } },
    });
    const page = { watches: poll.watches, alerts, at: onePm, leaseUntil: onePm, judge };
    isQueueBroken = true;
    await expect(polls().recordPage(poll, page)).rejects.toThrow('broken');
    expect(await remembered()).toHaveLength(1);
    isQueueBroken = false;
    queued = [];
    expect(await polls().recordPage(poll, page)).toBe(true);
    expect(queued).toHaveLength(2);
    expect(await remembered()).toHaveLength(3);
    const [watch] = await store().list({ teamId: of.teamId, channelId: 'C1' });
    expect(watch).toMatchObject({ postedCount: 0, countedCount: 2 });
  });

  it('records nothing for a watch that has ended or was paused meanwhile', async () => {
    const of = await connect();
    const [ending, pausing] = [wish(of), wish(of, { channelId: 'C2' })];
    for (const one of [ending, pausing]) await create(one);
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    await store().end({ teamId: of.teamId, id: ending.id, by: 'U_ANA', at: onePm, tell });
    const paused = await database.db
      .transaction()
      .execute((trx) => pauseWatches(trx, { ...of, channelId: 'C2' }, { why: 'gone', at: onePm }));
    expect(paused).toEqual(['U_ANA']);
    queued = [];
    const alerts = [{ key: 'a1', alert: { id: 'a1', otherFields: {} }, readAt: onePm }];
    const judge: Judge = () => ({ facts, outgoing: { subject: 's', message: { text: 'new' } } });
    const { watches } = poll;
    await polls().recordPage(poll, { watches, alerts, at: onePm, leaseUntil: onePm, judge });
    expect(queued).toEqual([]);
    await polls().release(poll, noon);
    expect(await claim('p2')).toBeUndefined();
  });

  it('hands the watches of a replaced connection to the poll of the new one', async () => {
    const of = await connect();
    const watch = wish(of);
    await create(watch);
    const { connectionId } = await connect(of.teamId);
    const poll = await claim('p1');
    expect(poll).toMatchObject({
      connectionId,
      watches: [],
      strays: [{ watches: [{ id: watch.id }] }],
    });
    if (!poll) return;
    const moved = { ...anchor, highWater: onePm, known: [] };
    const watches = poll.strays.flatMap((one) => one.watches);
    const beginAnew = { watches, anchor: moved };
    const tellChannel = () => [{ subject: 'moved', message: { text: 'moved' } }];
    expect(await polls().follow(poll, { goOn: [], beginAnew, at: onePm, tell: tellChannel })).toBe(
      true,
    );
    expect(await store().find(watch)).toMatchObject({ connectionId, anchor: onePm });
    expect(await remembered()).toEqual([]);
  });

  it('leaves watches alone that were taken over while the old connection was read', async () => {
    const of = await connect();
    await create(wish(of));
    const old = await claim('old');
    await connect(of.teamId);
    const heir = await claim('heir');
    if (!old || !heir) throw new Error('nothing to poll');
    const goOn = heir.strays.flatMap((one) => one.watches);
    const moved = { goOn, beginAnew: undefined, at: onePm, tell: () => [] };
    expect(await polls().follow(heir, moved)).toBe(true);
    queued = [];
    const alerts = [{ key: 'a1', alert: { id: 'a1', otherFields: {} }, readAt: onePm }];
    const judge: Judge = () => ({ facts, outgoing: { subject: 's', message: { text: 'new' } } });
    const { watches } = old;
    await polls().recordPage(old, { watches, alerts, at: onePm, leaseUntil: onePm, judge });
    const told = () => ({ subject: 'refused', message: { text: 'refused' } });
    const failure = { reading: old, isFailedLookup: false, words: 'refused', at: onePm };
    await polls().fail(old, { ...failure, tell: told });
    expect(queued).toEqual([]);
  });

  it('notes trouble in whatever words the service has for it', async () => {
    const of = await connect();
    await create(wish(of));
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    const failure = { reading: poll, isFailedLookup: false, at: onePm, tell: undefined };
    await polls().fail(poll, { ...failure, words: 'half \0 a \ud83d word' });
    const [listed] = await store().list({ teamId: of.teamId, channelId: 'C1' });
    expect(listed?.trouble).toEqual({ words: 'half \ufffd a \ufffd word', since: onePm });
  });

  it('never moves a high-water mark back, and forgets only what is over', async () => {
    const of = await connect();
    const watch = wish(of);
    await create(watch);
    const poll = await claim('p1');
    if (!poll) throw new Error('nothing to poll');
    const tellOver = () => ({ subject: 'over', message: { text: 'over' } });
    const done = { watches: poll.watches, at: onePm, nextPollAt: onePm, tellOver };
    const back = { at: new Date(noon.getTime() - 1000), alertId: 'older' };
    await polls().finish(poll, { ...done, highWater: back });
    expect(await store().find(watch)).toMatchObject({ highWater: noon, highWaterAlertId: 'a0' });
    await store().forget({ clearedSince: onePm, since: noon });
    expect(await remembered()).toHaveLength(1);
    await database.db.updateTable('watched_alert').set({ is_cleared: true }).execute();
    await store().forget({ clearedSince: onePm, since: noon });
    expect(await remembered()).toEqual([]);
  });
});
