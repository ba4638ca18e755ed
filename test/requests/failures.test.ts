import { describe, expect, test } from 'vitest';
import type { Fault, FaultMatch } from '../../playground/service/faults/fault.ts';
import {
  aReason,
  ask,
  buttonTexts,
  fillForm,
  heardBack,
  messagesOf,
  seeAgain,
} from '../support/ask.ts';
import { sample } from '../support/sampling.ts';
import { replaceConnection } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

// Checks an unknown outcome soon, and never tries the change again.
const timings = { leaseMs: 30_000, settleMs: 600_000, checkMs: 100 };
let ahead = 0;
const world = shareWorld({ timings, clock: () => new Date(Date.now() + ahead) });
const email = 'joana.prado@example.com';
const command = `/belay disable ${email}`;

function joana() {
  const { service, portal } = world();
  const user = service.users(portal.id).find((one) => one.email === email);
  if (!user) throw new Error('Joana is gone');
  return user;
}

function patches() {
  return world().service.requests.filter(({ method }) => method === 'PATCH');
}

type Case = { name: string; fault: Fault; match: FaultMatch; says: string };

const failureCases: Case[] = [
  {
    name: 'is down',
    fault: { kind: 'reset' },
    match: { method: 'GET' },
    says: "Belay can't reach the service.",
  },
  {
    name: 'answers HTML',
    fault: { kind: 'html' },
    match: { method: 'GET' },
    says: 'A proxy or a maintenance page may have answered in its place.',
  },
  {
    name: 'returns a server error',
    fault: { kind: 'status', status: 503 },
    match: { method: 'GET' },
    says: 'The service returned a server error.',
  },
  {
    name: 'rejects the token',
    fault: { kind: 'status', status: 401 },
    match: {},
    says: 'An admin can enter a new one with `/belay connection`.',
  },
  {
    name: 'refuses the change',
    fault: { kind: 'status', status: 400 },
    match: { method: 'PATCH' },
    says: 'The service said: “A fault on demand.”.',
  },
];

const sampledCases = sample(failureCases, 2);

describe('an approved request, when the service', () => {
  test.each(sampledCases)('$name, fails with a reason', async ({ fault, match, says }) => {
    const { ana, ben, service, logged } = world();
    const request = await ask(ana, command);
    service.setFault(fault, match);

    await ben.press(request, 'Approve');
    const failed = await seeAgain(ben, request, "Couldn't disable ");
    expect(failed.text).toContain(says);
    expect(failed.text).toContain('Nothing was changed.');
    expect(buttonTexts(failed)).toEqual(['View user']);

    const answer = await heardBack(ana);
    expect(answer.text).toContain("Couldn't disable ");
    const reference = /Reference ([0-9a-f]{8})\./.exec(answer.text)?.[1] ?? 'none';
    expect(logged.some((line) => line.includes(reference))).toBe(true);
    expect(joana().is_enabled).toBe(true);
  });

  test.each<Omit<Case, 'match'>>([
    {
      name: 'breaks the connection half-way',
      fault: { kind: 'reset' },
      says: "Belay can't reach the service.",
    },
    {
      name: 'answers the change with HTML',
      fault: { kind: 'html' },
      says: "a response that Belay doesn't understand.",
    },
  ])('$name, has an unknown outcome', async ({ fault, says }) => {
    const { ana, ben, service } = world();
    const request = await ask(ana, command);
    service.setFault(fault, { method: 'PATCH' });

    await ben.press(request, 'Approve');
    const words = "Belay doesn't know yet whether the change was made, and keeps checking.";
    const unknown = await seeAgain(ben, request, words);
    expect(unknown.text).toContain(says);
    expect(unknown.text).not.toContain('Nothing was changed');
    expect(buttonTexts(unknown)).toEqual(['View user']);
    expect(patches()).toHaveLength(1);
    expect(joana().is_enabled).toBe(true);

    // The requester is notified once, when the outcome is known.
    expect(messagesOf(ana).some(({ text }) => text.includes('Your request to '))).toBe(false);
    service.setFault(undefined);
    service.changeUser(world().portal.id, joana().id, { is_enabled: false });
    expect((await heardBack(ana)).text).toContain('Belay checked again and found the change.');
  });

  test('fails after the change was made, is checked again, and both messages show the outcome', async () => {
    const { ana, ben, service } = world();
    const request = await ask(ana, command);
    service.setFault({ kind: 'status', status: 500, afterActing: true }, { method: 'PATCH' });

    await ben.press(request, 'Approve');
    const seen = await seeAgain(ben, request, 'Belay checked again and found the change.');
    expect(buttonTexts(seen)).toEqual(['Re-enable', 'View user']);
    await ana.see(() =>
      messagesOf(ana).find(({ text }) => /found the change\. .*Your request to /.test(text)),
    );
    expect(messagesOf(ana).filter(({ text }) => text.includes('Your request to '))).toHaveLength(1);
    expect(patches()).toHaveLength(1);
  });

  test('takes more than 3 s, runs anyway', async () => {
    const { ana, ben, service } = world();
    const request = await ask(ana, command);
    service.setFault({ kind: 'slow', delayMs: 3500 }, { method: 'PATCH' });

    expect(await ben.press(request, 'Approve')).toEqual({ result: 'ok' });
    const working = await seeAgain(ben, request, 'Belay is making the change.');
    expect(buttonTexts(working)).toEqual(['View user']);
    await seeAgain(ben, request, 'is disabled.');
    await heardBack(ana);
    expect(joana().is_enabled).toBe(false);
  });
});

test('two requests for the same change send it once', async () => {
  const { ana, ben } = world();
  const first = await ask(ana, command);
  await fillForm(ana, command);
  const second = await ana.see(
    () => messagesOf(ana).filter(({ text }) => text.includes('Waiting for approval.'))[1],
    'a second request',
  );
  await ben.press(first, 'Approve');
  await seeAgain(ben, first, 'is disabled.');
  await ben.press(second, 'Approve');
  // The first request made the change, so only the first one offers to undo it.
  const done = await seeAgain(ben, second, 'No change was needed.');
  expect(buttonTexts(done)).toEqual(['View user']);
  await heardBack(ana, 2);
  expect(patches()).toHaveLength(1);
});

test('a request that cannot be posted is discarded, and the requester is notified', async () => {
  const { ana, slack } = world();
  slack.failNext('chat.postMessage', 'not_in_channel');
  await fillForm(ana, command);
  const answer = await ana.seeMessage('No request was sent, because');
  expect(answer.text).toContain("Belay can't post in <#C0OPS00001>");
  expect(answer.text).toContain('Invite Belay to that channel');
  expect(messagesOf(ana).filter(({ text }) => /request(s|ed) approval to/.test(text))).toEqual([]);

  // A new connection would void the request, and report it.
  const review = await replaceConnection(world());
  expect(JSON.stringify(review.blocks)).not.toContain('scheduled request');
});

test('a request that Slack fails to post is refused, and the typed reason is returned', async () => {
  const { ana, slack, logged } = world();
  // Only there: a direct message about an earlier request may be on its way.
  slack.failNext('chat.postMessage', 'msg_too_long', 'C0OPS00001');
  await fillForm(ana, command);
  const answer = await ana.seeMessage('Something went wrong in Belay.');
  expect(answer.text).toContain(aReason);
  const reference = /Reference ([0-9a-f]{8})/.exec(answer.text)?.[1] ?? 'none';
  expect(logged.some((line) => line.includes(reference))).toBe(true);

  const review = await replaceConnection(world());
  expect(JSON.stringify(review.blocks)).not.toContain('scheduled request');
});

test("a decision is valid even if the message can't be edited, and a late click updates it", async () => {
  const { ana, ben, slack, logged } = world();
  const request = await ask(ana, command);
  slack.failNext('chat.update', 'message_not_found');

  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'Not yet' },
  });
  expect((await heardBack(ana)).text).toContain('Denied by');
  expect(logged.join('')).toContain('a copy of a request is out of reach');

  // The message in the channel shows the buttons until somebody clicks one.
  ahead = 10_000;
  await ben.press(request, 'Approve');
  const closed = await ben.seeMessage('This request was denied.');
  expect(closed.text).toMatch(/Nothing was changed\. Denied by <@U0BEN00002>/);
  expect(buttonTexts(await seeAgain(ana, request, 'Denied by'))).toEqual(['View user']);
  expect(patches()).toEqual([]);
});
