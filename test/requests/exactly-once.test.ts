import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { changeSetup } from '../support/set-up.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();
const command = '/belay disable joana.prado@example.com';

function patches() {
  return world().service.requests.filter(({ method }) => method === 'PATCH');
}

/** Clicks a button even if the message no longer shows it; resolves to the private answer. */
async function clickClosed(on: Message, slackUserId: string, button = 'Approve'): Promise<string> {
  const { url, answer } = await openAnswerBox();
  await clickRaw(world(), { slackUserId, on, button, responseUrl: url });
  return answer;
}

test('if ten clicks arrive at the same time, one decides, nine get the state, and the log tells of both people', async () => {
  const { ana, cleo } = world();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo] }));
  const request = await ask(ana, command);
  const boxes = await Promise.all(Array.from({ length: 10 }, () => openAnswerBox()));
  const answers: string[] = [];
  for (const { answer } of boxes) void answer.then((words) => answers.push(words));
  await Promise.all(
    boxes.map(({ url }, index) => {
      const slackUserId = index % 2 === 0 ? people.ben : people.cleo;
      return clickRaw(world(), { slackUserId, on: request, button: 'Approve', responseUrl: url });
    }),
  );
  const done = await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  await expect.poll(() => answers.length).toBe(9);
  const decider = done.text.includes(`Approved by <@${people.ben}>`) ? people.ben : people.cleo;
  for (const answer of answers) {
    expect(answer).toMatch(/This request (?:is|was) .* Approved by /);
    expect(answer).toContain(`<@${decider}>`);
    expect(answer).toContain('ephemeral');
  }
  const log = await logOf(db(), request);
  const refusals = log.filter((entry) => /^refused \w+ request_closed$/.test(entry));
  // Of the five refusals of one person and the four of the other, the 1st, 2nd and 4th.
  expect(refusals).toHaveLength(6);
  expect(log.filter((entry) => !refusals.includes(entry))).toEqual([
    `requested ${people.ana}`,
    `approved ${decider}`,
    'started belay',
    'completed belay',
  ]);
  expect(patches()).toHaveLength(1);
  expect(messagesOf(ana).filter(({ text }) => text.includes('Your request to '))).toHaveLength(1);
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben] }));
});

test('a click while the request is running gets that state, for any person', async () => {
  const { ana, ben, cleo, service } = world();
  const request = await ask(ana, command);
  service.setFault({ kind: 'held' }, { method: 'PATCH' });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'Belay is making the change.');
  const answers = await Promise.all(
    [ana, ben, cleo].map(({ slackUserId }) => clickClosed(request, slackUserId)),
  );
  for (const answer of answers)
    expect(answer).toMatch(
      /This request is already running\. Belay is making the change\. Approved by <@U0BEN00002>/,
    );
  service.setFault(undefined);
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  expect(patches()).toHaveLength(1);
});

test('a late click gets the final state, also from the requester', async () => {
  const { ana, ben, cleo } = world();
  const request = await ask(ana, command);
  const sent = messagesOf(ana).find((one) => buttonTexts(one).includes('Withdraw'));
  if (!sent) throw new Error('the requester has no button to withdraw');
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  const words = /This request was completed\. .* is disabled\. Approved by <@U0BEN00002>/;
  for (const { slackUserId } of [ana, ben, cleo]) {
    for (const button of ['Approve', 'Deny']) {
      expect(await clickClosed(request, slackUserId, button)).toMatch(words);
    }
  }
  expect(await clickClosed(sent, ana.slackUserId, 'Withdraw')).toMatch(words);
  expect(buttonTexts(await seeAgain(ana, request, 'is disabled.'))).toEqual([
    'Re-enable',
    'View user',
  ]);
  expect(patches()).toHaveLength(1);
});
