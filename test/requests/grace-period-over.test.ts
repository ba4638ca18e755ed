import { afterEach, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { shareWorld } from '../support/world.ts';

const graceMs = 30 * 60_000;
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const world = shareWorld({
  clock,
  timings: { leaseMs: 30_000, settleMs: 0, checkMs: 100 },
  // What is due starts when a test says so, and not within a second after it has moved the clock.
  intervals: { advanceRequests: 60 * 60_000 },
});
afterEach(() => {
  ahead = 0;
});

const joana = 'joana.prado@example.com';

function userNow() {
  const { service, portal } = world();
  return service.users(portal.id).find((user) => user.email === joana);
}

async function scheduled(): Promise<Message> {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay delete ${joana}`, { email: { input: joana } });
  await ben.press(request, 'Approve');
  const waiting = await seeAgain(ana, request, 'will be deleted');
  await heardBack(ana);
  return waiting;
}

/** Waits for the text in the channel and in the requester's direct message. */
async function seeBoth(request: Message, words: RegExp): Promise<Message> {
  const { ana } = world();
  const seen = await seeAgain(ana, request, words);
  await ana.see(
    () => messagesOf(ana).find(({ text }) => /Your request to /.test(text) && words.test(text)),
    `the direct message with ${words}`,
  );
  return seen;
}

/** A click at the moment that the injected clock shows. */
async function clickCancelDeletion(on: Message, slackUserId: string = people.ben): Promise<string> {
  const box = await openAnswerBox();
  const click = { slackUserId, on, button: 'Cancel deletion', responseUrl: box.url, at: clock() };
  expect((await clickRaw(world(), click)).status).toBe(200);
  return box.answer;
}

test('a deletion that is due cannot be canceled, started or not', async () => {
  const request = await scheduled();
  ahead = graceMs;
  expect(await clickCancelDeletion(request)).toContain(
    'Too late to cancel: the deletion is already running.',
  );
  await world().belay.sweep();
  await seeBoth(request, /is deleted\. Approved/);
  const late = await clickCancelDeletion(request);
  expect(late).toMatch(/This request was completed\. .* is deleted\. Approved by /);
  expect(userNow()).toBeUndefined();
});

test('at the deadline either the deletion or its cancellation happens, never both', async () => {
  const request = await scheduled();
  const { belay, service, ana } = world();
  ahead = graceMs - 1500;
  const box = await openAnswerBox();
  const click = { slackUserId: people.ben, on: request, button: 'Cancel deletion' };
  const at = clock();
  const clicked = clickRaw(world(), { ...click, responseUrl: box.url, at });
  ahead = graceMs + 1000;
  await Promise.all([clicked, belay.sweep(), belay.sweep()]);
  await belay.sweep();
  const end = await seeBoth(request, /is deleted\. Approved|is enabled again\./);
  const isKept = end.text.includes('The deletion was canceled.');
  expect(userNow()?.is_enabled).toBe(isKept ? true : undefined);
  expect(service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(isKept ? 0 : 1);
  expect(buttonTexts(await seeAgain(ana, request, 'Approved by'))).toEqual(
    isKept ? ['View user'] : [],
  );
});

test('shows what was done and a Re-enable button if the service is down at the deadline', async () => {
  const request = await scheduled();
  const { belay, service } = world();
  service.setFault({ kind: 'reset' }, { method: 'GET' });
  ahead = graceMs;
  await belay.sweep();
  const failed = await seeBoth(request, /Couldn't delete /);
  expect(failed.text).toContain('was disabled.');
  expect(failed.text).toContain("Belay can't reach the service.");
  expect(failed.text).not.toContain('Nothing was changed');
  expect(buttonTexts(failed)).toEqual(['Re-enable', 'View user']);
  expect(userNow()?.is_enabled).toBe(false);
});

test('an interrupted deletion is checked until its outcome is known', async () => {
  const request = await scheduled();
  const { belay, service } = world();
  service.setFault({ kind: 'reset', afterActing: true }, { method: 'DELETE', times: 1 });
  ahead = graceMs;
  await belay.sweep();
  ahead += 1000;
  await belay.sweep();
  await seeBoth(request, /is deleted\. Belay checked again and found the change\./);
  expect(service.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test("a cancellation that can't enable the user says that the user is still disabled", async () => {
  const request = await scheduled();
  const { ben, service } = world();
  service.setFault({ kind: 'status', status: 400 }, { method: 'PATCH' });
  await ben.press(request, 'Cancel deletion');
  const failed = await seeBoth(
    request,
    /The deletion was canceled, but Belay couldn't enable the account again\. .* was disabled\./,
  );
  expect(failed.text).not.toContain('Nothing was changed');
  expect(buttonTexts(failed)).toEqual(['Re-enable', 'View user']);
});

test('a cancellation whose outcome is unknown says that the deletion is off, and it is', async () => {
  const request = await scheduled();
  const { belay, ben, service } = world();
  service.setFault({ kind: 'reset' }, { method: 'PATCH' });
  await ben.press(request, 'Cancel deletion');
  await seeBoth(
    request,
    /The deletion was canceled\. Belay doesn't know whether the account is enabled again\. Belay keeps checking\./,
  );
  ahead = graceMs + 1000;
  await belay.sweep();
  expect(userNow()?.is_enabled).toBe(false);
  service.setFault(undefined);
  ahead += 1000;
  await belay.sweep();
  await seeBoth(request, /is enabled again\. /);
});
