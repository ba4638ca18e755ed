import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { people } from '../../../playground/people.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import type { ClearingTimings } from '../../../src/features/alerts/clearing/clearing.ts';
import { createClearingRunner } from '../../../src/features/alerts/clearing/run-clearings.ts';
import { clearAllActionId } from '../../../src/features/alerts/views/ids.ts';
import { createAuditStore } from '../../../src/features/audit/store/audit-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { readPerson } from '../../../src/slack/api/person.ts';
import { actions, button, message } from '../../../src/slack/ui/blocks.ts';
import { encodeValue } from '../../../src/slack/ui/codec.ts';
import { defaultAccess } from '../../../src/workspace/settings/document.ts';
import { buttonTexts, seeAgain } from '../../support/ask.ts';
import { patienceMs } from '../../support/patience.ts';
import { startWatches, teamId } from '../watches/watch-stage.ts';
import { startAlerts } from './alert-stage.ts';

/** #ops with `count` alerts that the filter "bulk" finds, and processes that clear them. */
async function startClearing(count: number, notes: Record<number, string> = {}) {
  const stage = await startWatches({ dialect: 'live' });
  const { db, service, portal, raise, ben, clearings, approvers } = stage;
  for (let index = 0; index < count; index += 1)
    raise(`bulk-${index}`, { notes: notes[index] ?? '' });
  const auditStore = createAuditStore(db, serveAll);
  const patches = () => service.requests.filter(({ method }) => method === 'PATCH');

  const openForm = async (matching = count) => {
    await ben.send('ops', '/belay alerts bulk');
    await ben.press(await ben.seeMessage(`${matching} active: `), 'Clear all…');
    return ben.seeDialog("This can't be undone.");
  };
  /** Of the audit log, oldest first. */
  const readEvents = async () => {
    const entries = await auditStore.list({ teamId, limit: 400 });
    return entries.toReversed().filter(({ action }) => action === 'alerts.clear');
  };

  return {
    ...stage,
    patches,
    openForm,
    readEvents,
    /** Confirms without a note. */
    async start(matching = count) {
      await ben.submit(await openForm(matching), {});
      await vi.waitFor(async () => expect(await readEvents()).toHaveLength(1), patienceMs);
    },
    /** Those of the test, in the service. */
    alerts: () => service.alerts(portal.id).filter(({ id }) => id.startsWith('bulk-')),
    /** Another process that clears what is due. */
    startProcess(timings: Partial<ClearingTimings> = {}) {
      const runner = createClearingRunner({
        clearings,
        openService: stage.openService,
        readSettings: async () => ({ approvers, access: defaultAccess }),
        access: { readPerson },
        clients: stage.clients,
        reportAlert: stage.postedAlerts.update,
        clock: stage.clock,
        log: createLogger('fatal'),
        timings,
      });
      onTestFinished(() => runner.stop());
      return runner;
    },
    /** Posts what is queued. */
    async seeEnd(text: string | RegExp) {
      await stage.deliver();
      await stage.deliver();
      return ben.seeMessage(text);
    },
  };
}

/** The numbers in the line of results, such as `{ cleared: 28, 'already cleared': 2 }`. */
function countsIn(text: string): Record<string, number> {
  const [, line = ''] = text.split('\n');
  return Object.fromEntries(
    [...line.matchAll(/(\d+) ([a-z ]+?)(?= ·|$)/g)].map(([, count, name = '']) => [
      name,
      Number(count),
    ]),
  );
}

const total = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

it('clears exactly the alerts that the form counted, with a note below their own', async () => {
  const longNote = 'x'.repeat(1010);
  const stage = await startClearing(30, { 3: 'Known since May', 4: longNote });
  const { ben, cleo, raise, alerts, patches, deliver, startProcess, readEvents } = stage;
  const form = await stage.openForm();
  const shown = JSON.stringify(form.blocks);
  expect(shown).toContain('Clearing removes 30 alerts');
  expect(shown.match(/volume bulk-/g)).toHaveLength(10);
  expect(shown).toContain('and 20 more');
  expect(form.submit).toBe('Clear 30 alerts');
  raise('bulk-late');
  await ben.submit(form, { note: { input: 'Duplicates of OPS-7' } });
  await vi.waitFor(async () => expect(await readEvents()).toHaveLength(1), patienceMs);
  await deliver();
  const progress = await cleo.seeMessage('Clearing 30 alerts');
  expect(countsIn(progress.text)).toEqual({ left: 30 });
  expect(progress.text).toContain(`by <@${people.ben}>`);

  expect(await startProcess().finish()).toBe(1);
  await deliver();
  const end = await seeAgain(cleo, progress, 'Cleared 30 alerts');
  expect(countsIn(end.text)).toEqual({ cleared: 30 });
  expect(end.text).toContain("The note wasn't added to 1 alert.");
  expect(end.text).toContain('&gt; Duplicates of OPS-7');
  expect(buttonTexts(end)).toEqual([]);

  const byId = new Map(alerts().map((alert) => [alert.id, alert]));
  expect(byId.get('bulk-late')?.status).toBe('active');
  byId.delete('bulk-late');
  expect([...byId.values()].map(({ status }) => status)).toEqual(Array(30).fill('cleared'));
  expect(byId.get('bulk-0')?.notes).toBe('Duplicates of OPS-7');
  expect(byId.get('bulk-3')?.notes).toBe('Known since May\nDuplicates of OPS-7');
  expect(byId.get('bulk-4')?.notes).toBe(longNote);
  expect(new Set(patches().map(({ path }) => path)).size).toBe(30);
  expect(patches()).toHaveLength(30);

  const entries = await readEvents();
  const [started, ...others] = entries;
  expect(started).toMatchObject({
    event: 'alert_clearing_started',
    actor: people.ben,
    facts: { alerts: 30 },
    personal: { note: 'Duplicates of OPS-7' },
  });
  const cleared = others.filter(({ event }) => event === 'alert_cleared');
  expect(new Set(cleared.map(({ subjectId }) => subjectId))).toEqual(new Set(byId.keys()));
  expect(cleared).toHaveLength(30);
  expect(entries.at(-1)).toMatchObject({
    event: 'alert_clearing_finished',
    facts: { alerts: 30, cleared: 30, unknown_outcome: 0 },
  });
});

it('starts once, however often the form is submitted', async () => {
  const stage = await startClearing(3);
  const { ben, db, clearings, clock, alerts, readEvents, startProcess, patches } = stage;
  const form = await stage.openForm();
  await Promise.allSettled([ben.submit(form, {}), ben.submit(form, {})]);
  await vi.waitFor(async () => expect(await readEvents()).toHaveLength(1), patienceMs);
  const { id } = await db.selectFrom('alert_clearing').select('id').executeTakeFirstOrThrow();
  const again = { id, teamId, createdBy: people.ben, channelId: 'C0OPS00001', note: undefined };
  const confirm = () => clearings.confirm({ ...again, at: clock() });
  expect(await Promise.all([confirm(), confirm()])).toEqual([false, false]);
  await Promise.all([startProcess().finish(), startProcess().finish()]);
  expect(await confirm()).toBe(false);
  expect(alerts().every(({ status }) => status === 'cleared')).toBe(true);
  expect(patches()).toHaveLength(3);
  const started = (await readEvents()).filter(({ event }) => event === 'alert_clearing_started');
  expect(started).toHaveLength(1);
});

it('is confirmed once, however many submissions arrive at the same moment', async () => {
  const { connectionId, clearings, clock } = await startClearing(0);
  const id = randomUUID();
  const search = { ...defaultSearch, words: ['bulk'] };
  const by = { id, teamId, createdBy: people.ben };
  await clearings.propose(
    { ...by, connectionId, originId: connectionId, search },
    { alertIds: ['a', 'b'], at: clock() },
  );
  const confirm = (person: string, at = clock()) =>
    clearings.confirm({
      ...by,
      createdBy: person,
      channelId: 'C0OPS00001',
      note: undefined,
      at,
    });
  expect(await confirm(people.cleo)).toBe(false);
  expect(await confirm(people.ben, new Date(clock().getTime() + 3_600_000))).toBe(false);
  const results = await Promise.all([1, 2, 3, 4].map(() => confirm(people.ben)));
  expect(results.filter(Boolean)).toHaveLength(1);
});

it('continues after a crash, and clears each alert once', async () => {
  const stage = await startClearing(20);
  const { service, alerts, patches, startProcess, readEvents, tick } = stage;
  await stage.start();
  // The process stops while it waits for answers: to changes that were made, and to one that wasn't.
  const handled: string[] = [];
  service.setFault({ kind: 'hang' }, { method: 'PATCH', times: 1 });
  service.addFault({ kind: 'hang', afterActing: true }, { method: 'PATCH', times: 4 });
  service.setOnHandled(({ method, path }) => void (method === 'PATCH' && handled.push(path)));
  const crashed = startProcess({ callMs: 5000 });
  const crashing = crashed.finish();
  await vi.waitFor(() => expect(patches()).toHaveLength(5), patienceMs);
  expect(await startProcess().finish()).toBe(0);
  expect(patches()).toHaveLength(5);

  tick(120_000);
  expect(await startProcess().finish()).toBe(1);
  expect(alerts().map(({ status }) => status)).toEqual(Array(20).fill('cleared'));
  // One change of the five wasn't made, so it was sent again.
  expect(patches()).toHaveLength(21);
  await crashing;
  const end = await stage.seeEnd('Cleared 20 alerts');
  expect(countsIn(end.text)).toEqual({ cleared: 20 });
  const events = await readEvents();
  const cleared = events.filter(({ event }) => event === 'alert_cleared');
  expect(cleared.filter(({ facts }) => facts.outcome === 'done')).toHaveLength(20);
  expect(new Set(cleared.map(({ subjectId }) => subjectId)).size).toBe(20);
  expect(events.filter(({ event }) => event === 'alert_clearing_finished')).toHaveLength(1);
});

it('tries again while the service has errors, and says what it could not clear', async () => {
  const stage = await startClearing(12);
  const { service, alerts, startProcess, readEvents, raise } = stage;
  await stage.start();
  raise('bulk-0', { status: 'cleared' });
  const timings = { retryMs: 0, maxAttempts: 3 };
  service.setFault({ kind: 'status', status: 503 }, { method: 'PATCH', times: 25 });
  await startProcess(timings).finish();
  const end = await stage.seeEnd(/Cleared \d+ of 12 alerts/);
  const counts = countsIn(end.text);
  expect(total(counts)).toBe(12);
  expect(counts['already cleared']).toBe(1);
  const active = alerts().filter(({ status }) => status === 'active').length;
  expect((counts['not cleared'] ?? 0) + (counts['unknown outcome'] ?? 0)).toBe(active);
  expect(active).toBeGreaterThan(0);
  expect(counts.cleared).toBe(11 - active);
  expect(end.text).toContain('server error');
  expect((await readEvents()).at(-1)?.facts).toMatchObject({ alerts: 12, already_cleared: 1 });

  service.setFault(undefined);
  await stage.ben.press(end, 'View alerts');
  await stage.ben.seeMessage(`${active} active: `);
});

it('outlasts a storm of errors', async () => {
  const stage = await startClearing(8);
  const { service, alerts, startProcess } = stage;
  await stage.start();
  service.setFault({ kind: 'status', status: 503 }, { times: 40 });
  await startProcess({ retryMs: 0, maxAttempts: 20 }).finish();
  expect(alerts().every(({ status }) => status === 'cleared')).toBe(true);
  expect(countsIn((await stage.seeEnd('Cleared 8 alerts')).text)).toEqual({ cleared: 8 });
});

it('counts alerts that are gone', async () => {
  const stage = await startClearing(3);
  const { service, startProcess } = stage;
  await stage.start();
  service.setFault({ kind: 'status', status: 404 }, { method: 'GET', times: 1 });
  await startProcess().finish();
  const end = await stage.seeEnd('Cleared 2 of 3 alerts');
  expect(countsIn(end.text)).toEqual({ cleared: 2, 'not found': 1 });
});

it('stops when the person loses the right, or the connection is removed', async () => {
  for (const end of ['right', 'connection'] as const) {
    const stage = await startClearing(3);
    const { approvers, world, alerts, startProcess } = stage;
    await stage.start();
    if (end === 'right') approvers.splice(0, 1, people.cleo);
    else world.service = undefined;
    await startProcess().finish();
    const ended = await stage.seeEnd('Cleared 0 of 3 alerts');
    expect(countsIn(ended.text)).toEqual({ 'not cleared': 3 });
    expect(ended.text).toContain(
      end === 'right'
        ? `3: <@${people.ben}> is no longer an approver or admin.`
        : '3: The connection to the service was changed or removed.',
    );
    expect(alerts().every(({ status }) => status === 'active')).toBe(true);
  }
});

it('refuses more alerts than the limit, with their number', async () => {
  const { ben, db } = await startClearing(101);
  await ben.send('ops', '/belay alerts bulk');
  await ben.press(await ben.seeMessage('101 active: '), 'Clear all…');
  const refused = await ben.seeDialog('101 alerts match, and at most 100 can be cleared at once.');
  expect(refused.submit).toBeUndefined();
  expect(await db.selectFrom('alert_clearing').select('id').execute()).toEqual([]);
});

it('refuses more than a limit that was lowered while the form was open', async () => {
  const { ben, openForm, settings, readEvents } = await startClearing(3);
  const form = await openForm();
  settings.maxAlertsCleared = 2;
  await ben.submit(form, {});
  await ben.seeMessage('3 alerts match, and at most 2 can be cleared at once.');
  expect(await readEvents()).toEqual([]);
});

it("posts in a direct message where Belay can't post", async () => {
  const stage = await startClearing(2);
  const { ben, setInOps, openForm, startProcess, alerts } = stage;
  setInOps(false);
  await ben.submit(await openForm(), {});
  await ben.seeMessage("Belay can't post here, so it sends you a direct message");
  await startProcess().finish();
  const end = await stage.seeEnd('Cleared 2 alerts');
  expect(end.channelId).toMatch(/^D/);
  expect(alerts().every(({ status }) => status === 'cleared')).toBe(true);
});

it('offers nothing if not all alerts could be read', async () => {
  const { ben, service } = await startClearing(3);
  await ben.send('ops', '/belay alerts bulk');
  const list = await ben.seeMessage('3 active: ');
  service.setFault({ kind: 'endless-list' });
  await ben.press(list, 'Clear all…');
  const problem = await ben.seeDialog("Belay couldn't read all alerts that match");
  expect(problem.submit).toBeUndefined();
});

it('is offered only to those who may clear, where the service supports it', async () => {
  const { ana, ben, raise } = await startClearing(2);
  await ana.send('ops', '/belay alerts bulk');
  expect(buttonTexts(await ana.seeMessage('2 active: '))).not.toContain('Clear all…');
  raise('bulk-1', { status: 'cleared' });
  await ben.send('ops', '/belay alerts bulk');
  expect(buttonTexts(await ben.seeMessage('1 active: '))).not.toContain('Clear all…');

  const documented = await startWatches({ dialect: 'documented' });
  for (const id of ['bulk-0', 'bulk-1']) documented.raise(id);
  await documented.ben.send('ops', '/belay alerts bulk');
  const list = await documented.ben.seeMessage('2 active: ');
  expect(buttonTexts(list)).toContain('Filter');
  expect(buttonTexts(list)).not.toContain('Clear all…');
});

it('refuses others, and logs that', async () => {
  const stage = await startAlerts({ dialect: 'live' });
  const value = encodeValue({ search: defaultSearch });
  const clearAll = button({ text: 'Clear all…', actionId: clearAllActionId, value });
  const posted = await stage.post(message([actions([clearAll])], 'A list of alerts'));
  await stage.ana.press(posted, 'Clear all…');
  await stage.ana.seeMessage('Only approvers and admins can clear alerts');
  expect(await stage.readLog()).toEqual([
    expect.objectContaining({
      event: 'refused',
      actor: people.ana,
      action: 'alerts.clear',
      facts: { reason: 'not_approver_or_admin' },
    }),
  ]);
});

it('refuses a person who lost the right while the form was open, and logs that', async () => {
  const { ben, openForm, approvers, readEvents, startProcess, patches } = await startClearing(2);
  const form = await openForm();
  approvers.splice(0, 1, people.cleo);
  await ben.submit(form, {});
  await ben.seeMessage('Only approvers and admins can clear alerts');
  expect((await readEvents()).map(({ event }) => event)).toEqual(['refused']);
  expect(await startProcess().finish()).toBe(0);
  expect(patches()).toEqual([]);
});

it('is shown in the messages of watches', async () => {
  const stage = await startClearing(0);
  const { ana, raise, poll, startProcess } = stage;
  await ana.send('ops', '/belay watch all');
  await ana.seeMessage('Watch added.');
  for (const id of ['bulk-0', 'bulk-1']) raise(id);
  await poll();
  await poll();
  await poll();
  const posted = await ana.seeMessage('volume bulk-1');
  await stage.start(2);
  await startProcess().finish();
  // One message a second: that of the clearing, then both alerts.
  for (let round = 0; round < 3; round += 1) await stage.deliver();
  const shown = await seeAgain(ana, posted, 'Cleared');
  expect(shown.text).toContain('Cleared');
  await ana.seeMessage(`Cleared by <@${people.ben}>`);
});

it('forgets what nobody confirmed within an hour, and old results', async () => {
  const { openForm, ben, db, clearings, clock } = await startClearing(2);
  const form = await openForm();
  const ids = () => db.selectFrom('alert_clearing_item').select('alert_id').execute();
  const at = clock().getTime();
  await clearings.prune(new Date(at + 3_590_000));
  expect(await ids()).toHaveLength(2);
  await clearings.prune(new Date(at + 3_600_000));
  expect(await ids()).toEqual([]);
  await ben.submit(form, {});
  await ben.seeMessage('This form was already submitted, or is older than an hour.');
});
