import { afterEach, expect, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, messagesOf, seeAgain } from '../support/ask.ts';
import { replaceConnection } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
let ahead = 0;
// So late that only the sweeps in these tests check outcomes.
const timings = { leaseMs: 30_000, settleMs: 0, checkMs: minuteMs };
const world = shareWorld({ clock: () => new Date(Date.now() + ahead), timings });
afterEach(() => {
  ahead = 0;
});

const outcomeUnknown =
  /Belay doesn't know yet whether the change was made, and keeps checking\. .*Reference \w{8}\./;

/** Approves a change that the service makes without responding, and then makes it unreachable. */
async function leaveOutcomeUnknown(): Promise<Message> {
  const { ana, ben, service } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  service.setFault({ kind: 'reset', afterActing: true }, { method: 'PATCH' });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, outcomeUnknown);
  service.setFault({ kind: 'reset' });
  return request;
}

/** Waits for the text in the channel and in the requester's only direct message. */
async function seeBoth(request: Message, words: RegExp): Promise<Message> {
  const { ana } = world();
  const copies = () => messagesOf(ana).filter(({ text }) => text.includes('Your request to '));
  const [seen] = await Promise.all([
    seeAgain(ana, request, words),
    ana.see(
      () => copies().find(({ text }) => words.test(text)),
      `the direct message with ${words}`,
    ),
  ]);
  expect(copies()).toHaveLength(1);
  return seen;
}

/** Sweeps once after a second, which lets pending message updates finish, and once after `ms`. */
async function sweepAfter(ms: number): Promise<void> {
  for (const step of [1000, ms]) {
    ahead += step;
    await world().belay.sweep();
  }
}

test('an unknown outcome is checked until the service is back', async () => {
  const request = await leaveOutcomeUnknown();
  const { ana, service } = world();
  for (let looks = 0; looks < 5; looks += 1) await sweepAfter(10 * minuteMs);
  await seeAgain(ana, request, outcomeUnknown);
  // The requester is notified once, when the outcome is known.
  expect(messagesOf(ana).some(({ text }) => text.includes('Your request to '))).toBe(false);
  service.setFault(undefined);
  await sweepAfter(dayMs / 2);
  const done = await seeBoth(request, /is disabled\. Belay checked again and found the change\./);
  expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
});

test('a look that fails after Belay was down for days is not the last', async () => {
  const request = await leaveOutcomeUnknown();
  await sweepAfter(2 * dayMs);
  world().service.setFault(undefined);
  await sweepAfter(61 * minuteMs);
  await seeBoth(request, /is disabled\. Belay checked again and found the change\./);
});

test('checks end after a day in which Belay looked, and both messages say so', async () => {
  const request = await leaveOutcomeUnknown();
  for (const ms of [dayMs / 2, dayMs / 2, 61 * minuteMs]) await sweepAfter(ms);
  const words = /Belay doesn't know whether the change was made\. Check the service's portal\./;
  expect(buttonTexts(await seeBoth(request, words))).toEqual(['View user']);
});

test('a changed connection ends the checks, and both messages say so', async () => {
  const request = await leaveOutcomeUnknown();
  const { service } = world();
  service.setFault(undefined);
  await replaceConnection(world());
  await sweepAfter(minuteMs);
  await seeBoth(request, /Check the service's portal\./);
});
