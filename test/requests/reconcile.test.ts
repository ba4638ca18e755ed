import { afterEach, expect, test } from 'vitest';
import type { Fault } from '../../playground/service/faults/fault.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, messagesOf, seeAgain } from '../support/ask.ts';
import { shareWorld } from '../support/world.ts';

const dayMs = 24 * 60 * 60_000;
let ahead = 0;
// The tests move the clock by seconds while a step runs, which must not end its lease.
const timings = { leaseMs: dayMs, settleMs: 0, checkMs: 10 };
const world = shareWorld({ clock: () => new Date(Date.now() + ahead), timings });
afterEach(() => {
  ahead = 0;
});

const email = 'joana.prado@example.com';
const command = `/belay disable ${email}`;

function isEnabled() {
  const { service, portal } = world();
  return service.users(portal.id).find((user) => user.email === email)?.is_enabled;
}

function patches() {
  return world().service.requests.filter(({ method }) => method === 'PATCH');
}

/** Requests a change and approves it while the service has this fault. */
async function approve(fault: Fault, times?: number): Promise<Message> {
  const { ana, ben, service } = world();
  const request = await ask(ana, command);
  service.setFault(fault, { method: 'PATCH', ...(times && { times }) });
  await ben.press(request, 'Approve');
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

/** Advances the clock and sweeps until the text appears, because jobs wait a second per check. */
async function sweepUntil(request: Message, words: RegExp): Promise<Message> {
  const { ana, belay } = world();
  const isThere = () =>
    messagesOf(ana).some(
      ({ messageTs, text }) => messageTs === request.messageTs && words.test(text),
    );
  await expect
    .poll(
      async () => {
        ahead += 1000;
        await belay.sweep();
        return isThere();
      },
      { interval: 20 },
    )
    .toBe(true);
  return seeBoth(request, words);
}

test.each<{ what: string; fault: Fault }>([
  { what: 'acts and breaks the connection', fault: { kind: 'reset', afterActing: true } },
  { what: 'acts and fails', fault: { kind: 'status', status: 500, afterActing: true } },
  { what: 'acts and answers nonsense', fault: { kind: 'garbage', afterActing: true } },
])(
  'detects that the change was made by a service that $what, and sends it once',
  async ({ fault }) => {
    const request = await approve(fault);
    const done = await sweepUntil(
      request,
      /is disabled\. Belay checked again and found the change\./,
    );
    expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);
    expect(patches()).toHaveLength(1);
    expect(isEnabled()).toBe(false);
  },
);

test('sends a change again, once, if it was not made', async () => {
  const request = await approve({ kind: 'reset' }, 1);
  const done = await sweepUntil(request, /Completed: .* is disabled\. Approved by /);
  expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);
  expect(patches()).toHaveLength(2);
  expect(isEnabled()).toBe(false);
});

test('a change that always fails is tried three times', async () => {
  const request = await approve({ kind: 'reset' });
  const failed = await sweepUntil(
    request,
    /Couldn't disable .*\. Belay tried 3 times, and the service doesn't show the change\./,
  );
  expect(buttonTexts(failed)).toEqual(['View user']);
  ahead += dayMs;
  await world().belay.sweep();
  expect(patches()).toHaveLength(3);
  expect(isEnabled()).toBe(true);
});
