import { afterEach, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld, type World } from '../support/world.ts';

const minuteMs = 60_000;
let ahead = 0;
const timings = { leaseMs: 30_000, settleMs: 0, checkMs: 100 };
const world = shareWorld({ clock: () => new Date(Date.now() + ahead), timings });
afterEach(() => {
  ahead = 0;
});

const joana = 'joana.prado@example.com';

function userOf({ service, portal }: World, email = joana) {
  return service.users(portal.id).find((user) => user.email === email);
}

/** Requested by Ana and approved by Ben; the user is disabled and will be deleted. */
async function scheduled(email = joana): Promise<Message> {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(request, 'Approve');
  const waiting = await seeAgain(ana, request, 'will be deleted');
  await heardBack(ana);
  return waiting;
}

/** Sweeps `ms` later. Clicks can't be sent later, because Slack's signatures last five minutes. */
async function sweepLater(ms: number): Promise<void> {
  ahead = ms;
  await world().belay.sweep();
}

function requesterCopy(): Message | undefined {
  const { ana } = world();
  return messagesOf(ana).findLast(({ text }) => text.includes('Your request to '));
}

test('both messages show the deadline and the button, and the outcome after the deadline', async () => {
  const request = await scheduled();
  expect(userOf(world())?.is_enabled).toBe(false);
  for (const copy of [request, requesterCopy()]) {
    expect(copy?.text).toMatch(
      /is disabled\. The account will be deleted <!date\^\d+\^.* unless canceled\./,
    );
    expect(copy && buttonTexts(copy)).toEqual(['Cancel deletion', 'View user']);
  }

  await sweepLater(29 * minuteMs);
  expect(userOf(world())).toBeDefined();
  await sweepLater(31 * minuteMs);
  const { ana } = world();
  const done = await seeAgain(ana, request, /Completed: .* is deleted\./);
  expect(buttonTexts(done)).toEqual([]);
  await ana.see(() => (requesterCopy()?.text.includes('is deleted.') ? true : undefined));
  expect(userOf(world())).toBeUndefined();
});

test.each(['ana', 'ben'] as const)(
  '%s can cancel the deletion, and the user is enabled again',
  async (who) => {
    const request = await scheduled();
    await world()[who].press(request, 'Cancel deletion');
    const words = new RegExp(
      `The deletion was canceled\\. .* is enabled again\\. Approved by <@U0BEN00002> .*\\. Canceled by <@${people[who]}> .*\\.`,
    );
    const kept = await seeAgain(world().ana, request, words);
    expect(buttonTexts(kept)).toEqual(['View user']);
    await world().ana.see(() => (words.test(requesterCopy()?.text ?? '') ? true : undefined));
    await sweepLater(31 * minuteMs);
    expect(userOf(world())?.is_enabled).toBe(true);
  },
);

test('the requester can cancel the deletion in their direct message', async () => {
  const request = await scheduled();
  const copy = requesterCopy();
  if (!copy) throw new Error('Ana has no copy');
  await world().ana.press(copy, 'Cancel deletion');
  await seeAgain(world().ana, request, 'is enabled again.');
  await world().ana.see(() =>
    requesterCopy()?.text.includes('The deletion was canceled.') ? true : undefined,
  );
});

test("other people can't cancel the deletion", async () => {
  const request = await scheduled();
  const { cleo, ana } = world();
  await cleo.press(request, 'Cancel deletion');
  const answer = await cleo.seeMessage(
    "You aren't an approver of this request. Nothing was changed.",
  );
  expect(answer.isEphemeral).toBe(true);
  expect(buttonTexts(await seeAgain(ana, request, 'will be deleted'))).toEqual([
    'Cancel deletion',
    'View user',
  ]);
  expect(userOf(world())?.is_enabled).toBe(false);
});

test('a request to disable the user is voided while a cancellation could enable them again', async () => {
  const { ana, ben } = world();
  const disabling = await ask(ana, `/belay disable ${joana}`);
  const deletion = await scheduled();
  await ben.press(disabling, 'Approve');
  const voided = await seeAgain(ana, disabling, 'Voided');
  expect(voided.text).toContain('is disabled only for a deletion that can still be canceled.');
  expect(voided.text).toContain('Nothing was changed.');
  expect(buttonTexts(voided)).toEqual(['Request again…', 'View user']);
  await ben.press(deletion, 'Cancel deletion');
  await seeAgain(ana, deletion, 'is enabled again.');
  await ana.see(() => messagesOf(ana).find(({ text }) => /Voided.*Your request/.test(text)));
});

test('a user who was disabled before stays disabled when the deletion is canceled', async () => {
  const email = 'mariana.costa@example.com';
  const request = await scheduled(email);
  await world().ben.press(request, 'Cancel deletion');
  const kept = await seeAgain(world().ana, request, 'The deletion was canceled.');
  expect(kept.text).toMatch(/stays disabled, as before\. No change was needed\./);
  await world().ana.see(() =>
    requesterCopy()?.text.includes('The deletion was canceled.') ? true : undefined,
  );
  expect(userOf(world(), email)?.is_enabled).toBe(false);
});

test('if two people click at the same time, one cancels the deletion and the other sees that', async () => {
  const request = await scheduled();
  const { ana, ben, service } = world();
  await Promise.all([ana.press(request, 'Cancel deletion'), ben.press(request, 'Cancel deletion')]);
  const kept = await seeAgain(ana, request, 'is enabled again.');
  const loser = kept.text.includes(`Canceled by <@${people.ana}>`) ? ben : ana;
  const answer = await loser.seeMessage(/This request (is already being|was) canceled\./);
  expect(answer.text).toMatch(/Canceled by <@U0(ANA00001|BEN00002)>/);
  await ana.see(() =>
    requesterCopy()?.text.includes('The deletion was canceled.') ? true : undefined,
  );
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
});

test('without a grace period the user is deleted immediately', async () => {
  const { ana, ben, cleo, service } = world();
  await cleo.close(await changeSetup(cleo, { grace: '0' }));
  const request = await ask(ana, `/belay delete ${joana}`, { email: { input: joana } });
  expect(JSON.stringify(request.blocks)).toContain("This can't be undone.");
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, /Completed: .* is deleted\./);
  await heardBack(ana);
  const writes = service.requests.filter(({ method }) => method !== 'GET');
  expect(writes).toMatchObject([{ method: 'DELETE' }]);
  await cleo.close(await changeSetup(cleo, { grace: '30' }));
});

test('a decided request shows the details as they were when it was requested', async () => {
  const request = await scheduled();
  const shown = JSON.stringify(request.blocks);
  expect(shown).toMatch(/User ID: `\d+` · At request · State: enabled · /);
});
