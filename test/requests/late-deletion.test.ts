import { afterEach, expect, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, seeAgain } from '../support/ask.ts';
import { shareWorld } from '../support/world.ts';

const minuteMs = 60_000;
let ahead = 0;
const world = shareWorld({ clock: () => new Date(Date.now() + ahead) });
afterEach(() => {
  ahead = 0;
});

const email = 'joana.prado@example.com';

function joana() {
  const { service, portal } = world();
  return service.users(portal.id).find((user) => user.email === email);
}

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

function askToDelete(): Promise<Message> {
  return ask(world().ana, `/belay delete ${email}`, { email: { input: email } });
}

test('a long overdue deletion can be canceled for ten more minutes', async () => {
  const { ana, ben, belay } = world();
  const request = await askToDelete();
  await ben.press(request, 'Approve');
  const before = await seeAgain(ana, request, 'will be deleted');

  // Nobody could click a button while Belay was down.
  ahead = 90 * minuteMs;
  await belay.sweep();
  const again = await ana.see(() => {
    const now = ana.snapshot().conversations.flatMap(({ messages }) => messages);
    return now.find(
      ({ messageTs, text }) => messageTs === request.messageTs && text !== before.text,
    );
  }, 'another deadline');
  expect(again.text).toContain('will be deleted');
  expect(buttonTexts(again)).toEqual(['Cancel deletion', 'View user']);
  expect(joana()?.is_enabled).toBe(false);

  ahead = 101 * minuteMs;
  await belay.sweep();
  await seeAgain(ana, request, 'is deleted.');
  expect(joana()).toBeUndefined();
});

test('a user whom somebody else disabled is neither deleted nor enabled', async () => {
  const { ana, ben, service, portal } = world();
  const request = await askToDelete();
  service.changeUser(portal.id, joana()?.id ?? '', { is_enabled: false });
  await ben.press(request, 'Approve');
  const voided = await seeAgain(ana, request, 'Voided');
  expect(voided.text).toContain('now disabled');
  expect(buttonTexts(voided)).toEqual(['Request again…', 'View user']);
  await heardBack(ana);
  expect(writes()).toEqual([]);
});

test("a user whom Belay can't find at the deadline is not reported as deleted", async () => {
  const { ana, ben, service, portal, belay } = world();
  const request = await askToDelete();
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'will be deleted');
  service.setFault({ kind: 'status', status: 404 }, { method: 'GET' });
  ahead = 30 * minuteMs;
  await belay.sweep();
  const voided = await seeAgain(
    ana,
    request,
    'The subject of this request was deleted by somebody else',
  );
  expect(voided.text).not.toContain('is deleted');
  service.setFault(undefined);
  expect(service.users(portal.id).some((user) => user.email === email)).toBe(true);
});

test('an approval survives a brief failure of Slack before the change was sent', async () => {
  const { ana, ben, slack, service, belay } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  // Belay looks up the people after the user, so the run waits here.
  service.setFault({ kind: 'held' }, { method: 'GET' });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'Belay is making the change.');
  slack.failNext('users.info', 'internal_error');
  service.setFault(undefined);
  await seeAgain(ana, request, "The change hasn't been sent yet. Belay will try again.");
  ahead = 3 * minuteMs;
  await belay.sweep();
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
});
