import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { shareWorld } from '../support/world.ts';

const eightHoursMs = 8 * 60 * 60 * 1000;
const oneMinuteMs = 60 * 1000;

let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
// Requests expire when a test says so, and not within a second after it has moved the clock.
const world = shareWorld({ clock, intervals: { advanceRequests: 60 * 60 * 1000 } });

const command = '/belay disable joana.prado@example.com';

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

test('a request expires after 8 hours', async () => {
  const { ana, belay } = world();
  ahead = 0;
  const request = await ask(ana, command);

  ahead = eightHoursMs - oneMinuteMs;
  await belay.sweep();
  expect(buttonTexts(await seeAgain(ana, request, 'Waiting for approval.'))).toHaveLength(4);

  ahead = eightHoursMs + oneMinuteMs;
  await belay.sweep();
  const words = /Expired: No decision before <!date\^\d+\^.*\. Nothing was changed\./;
  expect(buttonTexts(await seeAgain(ana, request, words))).toEqual(['View user']);
  expect((await heardBack(ana)).text).toContain('Expired');

  await belay.sweep();
  expect(messagesOf(ana).filter(({ text }) => text.includes('Your request to'))).toHaveLength(1);
  expect(writes()).toEqual([]);
});

test('a click after 8 hours is refused, even before the message shows the expiry', async () => {
  const { ana, belay } = world();
  ahead = 0;
  const request = await ask(ana, command);

  ahead = eightHoursMs + oneMinuteMs;
  const box = await openAnswerBox();
  const click = { slackUserId: people.ben, on: request, button: 'Approve', responseUrl: box.url };
  expect((await clickRaw(world(), { ...click, at: clock() })).status).toBe(200);
  expect(await box.answer).toContain('This request expired. Nothing was changed.');
  await belay.sweep();
  expect(writes()).toEqual([]);
});

test('a click on an expired request whose message could not be updated says that it expired', async () => {
  const { ana, ben, belay, slack } = world();
  ahead = 0;
  const request = await ask(ana, command);
  ahead = eightHoursMs + oneMinuteMs;
  slack.failNext('chat.update', 'message_not_found');
  await belay.sweep();
  expect((await heardBack(ana)).text).toContain('Expired');

  // Slack signs requests with the real time.
  ahead = 0;
  await ben.press(request, 'Approve');
  await ben.seeMessage(/This request expired\. No decision before /);
  expect(writes()).toEqual([]);
});
