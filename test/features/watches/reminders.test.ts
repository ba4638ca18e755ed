import { describe, expect, it, vi } from 'vitest';
import { people } from '../../../playground/people.ts';
import {
  type PostedError,
  planReminder,
  type Reminded,
  reminder,
} from '../../../src/features/watches/reminders/reminder.ts';
import { editForm, enteredReminder } from '../../../src/features/watches/views/watch-modals.ts';
import { readFields } from '../../../src/slack/ui/form.ts';
import { buttonTexts, messagesOf } from '../../support/ask.ts';
import { patienceMs } from '../../support/patience.ts';
import { startWatches } from './watch-stage.ts';

const minute = 60_000;
const error = { severity: 'error' };

/** #ops watches everything, and is reminded after 30 minutes. */
async function startReminding(group = 'S0STORAGE1') {
  const stage = await startWatches();
  const { ana, deliver, watchesOfOps } = stage;
  // A channel gets one message a second.
  const poll = async () => {
    await stage.poll();
    await stage.poll();
  };
  const edit = async (entered: { remindAfter: string; remindGroup: string }) => {
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('1 watch in this channel'), 'Edit');
    const form = await ana.seeDialog('Remind about errors without an owner');
    await ana.submit(form, {
      remindAfter: { input: entered.remindAfter },
      remindGroup: { input: entered.remindGroup },
    });
    await ana.see(({ views }) => (views.length === 0 ? true : undefined));
  };
  await ana.send('ops', '/belay watch all');
  await ana.seeMessage('Watch added.');
  await edit({ remindAfter: '30', remindGroup: group });
  await vi.waitFor(
    async () => expect((await watchesOfOps())[0]?.reminder).toMatchObject({ afterMinutes: 30 }),
    patienceMs,
  );
  await deliver();
  return {
    ...stage,
    poll,
    edit,
    async muteErrors(which: string) {
      await ana.send('ops', `/belay mute severity:error ${which}`);
      await ana.submit(await ana.seeDialog('Mute alerts'), { reason: { input: 'Maintenance' } });
      await vi.waitFor(async () => {
        await deliver();
        expect(messagesOf(ana).some(({ text }) => text.includes('muted alerts'))).toBe(true);
      }, patienceMs);
    },
    reminders: () => messagesOf(ana).filter(({ text }) => text.includes('without an owner* ·')),
    posted: (id: string) => ana.seeMessage(`volume ${id}`),
  };
}

describe('reminders of errors without an owner', () => {
  it('mention the group once, with the errors and their buttons', async () => {
    const { raise, poll, remindAfter, reminders, ana } = await startReminding();
    raise('e1', error);
    raise('e2', error);
    raise('w1', { severity: 'warning' });
    await poll();
    await poll();
    await remindAfter(20 * minute);
    expect(reminders()).toEqual([]);
    await remindAfter(10 * minute);
    await remindAfter(minute);
    const [first] = reminders();
    expect(reminders()).toHaveLength(1);
    expect(first?.text).toContain('*2 errors without an owner* · posted here more than 30 min');
    expect(first?.text).toContain('<!subteam^S0STORAGE1> Select *Acknowledge*');
    expect(first?.text).toContain('volume e1');
    expect(first?.text).not.toContain('volume w1');
    if (!first) throw new Error('There was no reminder.');
    expect(buttonTexts(first)).toEqual([
      ...['Acknowledge', 'View details', 'Acknowledge', 'View details', 'View desk'],
    ]);
    await ana.press(first, 'View desk');
    expect((await ana.seeMessage('Alert desk')).text).toContain('Errors without an owner: 2');
  });

  it('wait twice as long each time, and end when somebody acknowledges the error', async () => {
    const { raise, poll, remindAfter, reminders, ana, posted } = await startReminding();
    raise('e1', error);
    await poll();
    const counts: number[] = [];
    for (let hour = 0; hour < 8; hour += 1) {
      await remindAfter(30 * minute);
      await remindAfter(30 * minute);
      counts.push(reminders().length);
    }
    // After 30, 90 and 210 minutes, and 7.5 hours.
    expect(counts).toEqual([1, 2, 2, 3, 3, 3, 3, 4]);
    const message = await posted('e1');
    await ana.press(message, 'Acknowledge');
    await ana.seeMessage('You now own this alert');
    await remindAfter(24 * 60 * minute);
    expect(reminders()).toHaveLength(4);

    raise('e2', error);
    await poll();
    await remindAfter(31 * minute);
    expect(reminders()).toHaveLength(5);
    expect(reminders().at(-1)?.text).toContain('*1 error without an owner*');
    expect(reminders().at(-1)?.text).toContain('volume e2');
  });

  it('leave out errors that are snoozed, muted, or were cleared while nobody looked', async () => {
    const { raise, poll, remindAfter, reminders, ben, posted, muteErrors } = await startReminding();
    await muteErrors('policy:Silver for 10h');
    raise('snoozed', error);
    raise('cleared', error);
    raise('muted', { ...error, parent_entity: { id: 'p-2', value: 'Silver', type: 'policy' } });
    await poll();
    await poll();
    const message = await posted('snoozed');
    await ben.press(message, 'Until tomorrow 9:00 AM');
    await ben.seeMessage('You snoozed this alert until ');
    // Not polled: as if the watch had been paused.
    raise('cleared', { ...error, status: 'cleared' });
    await remindAfter(40 * minute);
    await remindAfter(40 * minute);
    expect(reminders()).toEqual([]);
  });

  it('leave out errors that a later mute names, until it ends', async () => {
    const { raise, poll, remindAfter, reminders, endHolds, muteErrors } = await startReminding();
    raise('e1', error);
    raise('muted', { ...error, parent_entity: { id: 'p-2', value: 'Silver', type: 'policy' } });
    await poll();
    await poll();
    await muteErrors('policy:Silver for 2h');
    await remindAfter(40 * minute);
    expect(reminders()).toHaveLength(1);
    expect(reminders()[0]?.text).toContain('*1 error without an owner*');
    expect(reminders()[0]?.text).not.toContain('volume muted');

    await remindAfter(90 * minute);
    await endHolds();
    await remindAfter(24 * 60 * minute);
    expect(reminders().at(-1)?.text).toContain('*2 errors without an owner*');
  });

  it('are not sent while the watch is paused, or the service cannot be read', async () => {
    const { raise, poll, remindAfter, reminders, db, world } = await startReminding();
    raise('e1', error);
    await poll();
    const paused = { paused_at: new Date(), paused_reason: 'gone' };
    await db.updateTable('watch').set(paused).execute();
    await remindAfter(40 * minute);
    await db.updateTable('watch').set({ paused_at: null, paused_reason: null }).execute();
    const { service } = world;
    world.service = undefined;
    await remindAfter(minute);
    expect(reminders()).toEqual([]);
    world.service = service;
    await remindAfter(minute);
    expect(reminders()).toHaveLength(1);
  });

  it('count errors once a mute that held them has ended', async () => {
    const { raise, poll, remindAfter, reminders, ana, endHolds, deliver, advance } =
      await startReminding();
    await ana.send('ops', '/belay mute severity:error for 1h');
    await ana.submit(await ana.seeDialog('Mute alerts'), { reason: { input: 'Maintenance' } });
    await vi.waitFor(async () => {
      await deliver();
      expect(messagesOf(ana).some(({ text }) => text.includes('muted alerts'))).toBe(true);
    }, patienceMs);
    raise('e1', error);
    await poll();
    await remindAfter(40 * minute);
    advance(30 * minute);
    await endHolds();
    await remindAfter(20 * minute);
    expect(reminders()).toEqual([]);
    await remindAfter(15 * minute);
    expect(reminders()).toHaveLength(1);
  });

  it('can be turned off, and cannot mention what the service sends', async () => {
    const { raise, poll, remindAfter, reminders, edit, watchesOfOps } =
      await startReminding('none');
    expect((await watchesOfOps())[0]?.reminder).toEqual({ afterMinutes: 30 });
    raise('e1', {
      ...error,
      primary_entity: { id: 'v', type: 'volume', value: '<!subteam^S0SECURITY> <!here>' },
    });
    await poll();
    await remindAfter(31 * minute);
    expect(reminders()).toHaveLength(1);
    expect(reminders()[0]?.text).not.toMatch(/<!(?:subteam|here)/);
    await edit({ remindAfter: 'none', remindGroup: 'S0SECURITY' });
    await vi.waitFor(
      async () => expect((await watchesOfOps())[0]?.reminder).toBeUndefined(),
      patienceMs,
    );
    await remindAfter(24 * 60 * minute);
    expect(reminders()).toHaveLength(1);
  });

  it('are listed with the watch', async () => {
    const { ana } = await startReminding();
    await ana.send('ops', '/belay watch');
    await ana.seeMessage('reminders after 30 minutes that mention <!subteam^S0STORAGE1>');
  });

  it.each([people.ana, 'S0STORAGE1> <!here', 'here'])('can mention no %s', (group) => {
    expect(reminder.safeParse({ afterMinutes: 30, group }).success).toBe(false);
  });

  it('keep their group while Slack does not list the groups', () => {
    const before = { afterMinutes: 15 as const, group: 'S0STORAGE1' };
    const entered = { ...readFields(editForm.fields, () => undefined), remindAfter: '30' };
    const kept = { afterMinutes: 30, group: 'S0STORAGE1' };
    expect(enteredReminder(entered, { hasGroups: false, before })).toEqual(kept);
    expect(enteredReminder(entered, { hasGroups: true, before })).toEqual({ afterMinutes: 30 });
  });
});

describe('the plan of reminders', () => {
  const start = new Date('2026-11-20T10:00:00Z').getTime();
  const at = (minutes: number) => new Date(start + minutes * minute);
  const plan = (
    reminded: Reminded,
    errors: [since: number, isUnowned?: boolean][],
    now: number,
  ) => {
    const posted = errors.map(
      ([since, isUnowned = true], index): PostedError => ({
        key: `e${index}`,
        since: at(since),
        isUnowned,
      }),
    );
    const { due, next, ...rest } = planReminder({ afterMinutes: 30 }, reminded, posted, at(now));
    const minutes = next && (next.getTime() - start) / minute;
    return { due: due.map(({ key }) => key), next: minutes, count: rest.reminded.count };
  };
  const never = { at: undefined, count: 0 };

  it.each<[string, Parameters<typeof plan>, ReturnType<typeof plan>]>([
    ['nothing is posted', [never, [], 50], { due: [], next: undefined, count: 0 }],
    ['one is too recent', [never, [[30]], 50], { due: [], next: 60, count: 0 }],
    [
      'all have an owner',
      [{ at: at(40), count: 3 }, [[0, false]], 50],
      { due: [], next: 80, count: 0 },
    ],
    ['one is old enough', [never, [[0], [40]], 50], { due: ['e0'], next: 80, count: 1 }],
    ['it waits', [{ at: at(30), count: 1 }, [[0]], 50], { due: [], next: 90, count: 1 }],
    ['it is repeated', [{ at: at(30), count: 1 }, [[0]], 90], { due: ['e0'], next: 210, count: 2 }],
    [
      'at most a day',
      [{ at: at(0), count: 9 }, [[-90]], 1440],
      { due: ['e0'], next: 2880, count: 10 },
    ],
    [
      'another one is pending',
      [{ at: at(30), count: 4 }, [[0], [40]], 50],
      { due: [], next: 70, count: 4 },
    ],
    [
      'another one is old enough',
      [{ at: at(30), count: 4 }, [[0], [40]], 70],
      { due: ['e0', 'e1'], next: 130, count: 1 },
    ],
    ['two in a row', [{ at: at(60), count: 1 }, [[0], [35]], 65], { due: [], next: 90, count: 1 }],
  ])('%s', (_, given, expected) => {
    expect(plan(...given)).toEqual(expected);
  });
});
