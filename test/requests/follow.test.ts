import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { Message, OpenView } from '../../playground/slack/protocol.ts';
import {
  aReason,
  ask,
  buttonTexts,
  heardBack,
  messagesOf,
  seeAgain,
  withdraw,
} from '../support/ask.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld();

/** Types the command and gets the question about the open request. */
async function beAsked(person: Actor, command: string): Promise<OpenView> {
  await person.send('ops', command);
  return person.seeDialog('already requested approval');
}

function requests(): Message[] {
  return messagesOf(world().ben).filter(({ text }) => /request(s|ed) approval to/.test(text));
}

function followed(person: Actor, words: string): Promise<Message> {
  return person.see(
    () =>
      messagesOf(person).find(
        ({ text }) => text.includes("You're following") && text.includes(words),
      ),
    `the message to a follower with ${words}`,
  );
}

test('a second person can follow an open request, and hears of its outcome', async () => {
  const { ana, ben, cleo } = world();
  const command = '/belay disable joana.prado@example.com';
  const request = await ask(ana, command);
  const question = await beAsked(cleo, command);
  expect(JSON.stringify(question.blocks)).toContain(`<@${people.ana}> already requested approval`);
  expect(buttonTexts(question)).toEqual(['Follow request', 'Request anyway…']);
  await cleo.press(question, 'Follow request');
  await cleo.seeDialog("You'll get a direct message with the outcome");

  await ben.press(request, 'Approve');
  await heardBack(ana);
  await followed(cleo, 'is disabled.');
  expect(requests()).toHaveLength(1);
  expect(messagesOf(ben).filter(({ text }) => text.includes("You're following"))).toEqual([]);
});

test('a follower hears of each step of a deletion in one message', async () => {
  const { ana, ben, cleo } = world();
  const email = 'kim.lee@example.com';
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await cleo.press(await beAsked(cleo, `/belay delete ${email}`), 'Follow request');
  await cleo.seeDialog("You'll get a direct message with the outcome");
  await ben.press(request, 'Approve');
  const scheduled = await followed(cleo, 'will be deleted');
  await ana.press(await seeAgain(ana, request, 'will be deleted'), 'Cancel deletion');
  expect((await followed(cleo, 'The deletion was canceled.')).messageTs).toBe(scheduled.messageTs);
  await ana.seeMessage(/The deletion was canceled\. .*Your request to /);
});

test('a follower hears that the request was withdrawn', async () => {
  const { ana, cleo } = world();
  const command = '/belay disable joana.prado@example.com';
  const request = await ask(ana, command);
  await cleo.press(await beAsked(cleo, command), 'Follow request');
  await cleo.seeDialog("You'll get a direct message with the outcome");
  await withdraw(ana, request);
  await followed(cleo, 'Withdrawn by');
});

test('a follower who became a guest gets no more messages, and loses the content', async () => {
  const { ana, ben, cleo, slack } = world();
  const email = 'kim.lee@example.com';
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await cleo.press(await beAsked(cleo, `/belay delete ${email}`), 'Follow request');
  await cleo.seeDialog("You'll get a direct message with the outcome");
  await ben.press(request, 'Approve');
  const scheduled = await followed(cleo, 'will be deleted');
  slack.setPerson(people.cleo, { isGuest: true });
  onTestFinished(() => slack.setPerson(people.cleo, { isGuest: false }));
  await ana.press(await seeAgain(ana, request, 'will be deleted'), 'Cancel deletion');
  const revoked = await seeAgain(cleo, scheduled, 'You no longer have access to this request.');
  expect(JSON.stringify(revoked)).not.toContain('Kim');
  expect(buttonTexts(revoked)).toEqual([]);
  await ana.seeMessage(/The deletion was canceled\. .*Your request to /);
});

test('a follower who became a guest before the decision gets no message', async () => {
  const { ana, ben, cleo, slack } = world();
  const email = 'kim.lee@example.com';
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await cleo.press(await beAsked(cleo, `/belay delete ${email}`), 'Follow request');
  await cleo.seeDialog("You'll get a direct message with the outcome");
  slack.setPerson(people.cleo, { isGuest: true });
  onTestFinished(() => slack.setPerson(people.cleo, { isGuest: false }));
  await ben.press(request, 'Approve');
  await ana.press(await seeAgain(ana, request, 'will be deleted'), 'Cancel deletion');
  // Published after the message to a follower would have been.
  await ana.seeMessage(/The deletion was canceled\. .*Your request to /);
  expect(messagesOf(cleo).filter(({ text }) => text.includes("You're following"))).toEqual([]);
});

test('a requester who became a guest gets no more messages, and loses the content', async () => {
  const { ana, ben, slack } = world();
  const email = 'kim.lee@example.com';
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(request, 'Approve');
  const copy = await heardBack(ana);
  slack.setPerson(people.ana, { isGuest: true });
  onTestFinished(() => slack.setPerson(people.ana, { isGuest: false }));
  await ben.press(await seeAgain(ben, request, 'will be deleted'), 'Cancel deletion');
  const revoked = await seeAgain(ana, copy, 'You no longer have access to this request.');
  expect(JSON.stringify(revoked)).not.toContain('Kim');
  expect(buttonTexts(revoked)).toEqual([]);
});

test('a requester who is a guest by the time of the decision does not get the reason', async () => {
  const { ana, ben, cleo, slack } = world();
  const command = '/belay disable joana.prado@example.com';
  const request = await ask(ana, command);
  await cleo.press(await beAsked(cleo, command), 'Follow request');
  await cleo.seeDialog("You'll get a direct message with the outcome");
  slack.setPerson(people.ana, { isGuest: true });
  onTestFinished(() => slack.setPerson(people.ana, { isGuest: false }));
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'On leave' },
  });
  // Sent after the message to the requester would have been.
  await followed(cleo, 'On leave');
  expect(messagesOf(ana).filter(({ text }) => text.includes('Your request to '))).toEqual([]);
});

test('the same change can be requested anyway, also by the same person', async () => {
  const { ana, ben } = world();
  const command = '/belay disable joana.prado@example.com';
  const first = await ask(ana, command);
  const question = await beAsked(ana, command);
  expect(JSON.stringify(question.blocks)).toContain('You already requested approval');
  expect(buttonTexts(question)).toEqual(['Request anyway…']);
  await ana.press(question, 'Request anyway…');
  await ana.submit(await ana.seeDialog('Reason'), { reason: { input: aReason } });
  await ana.see(() => requests()[1], 'the second request');
  await ben.press(first, 'Approve');
  await heardBack(ana);
});

test('a change that was requested while the form was open is asked about, not posted', async () => {
  const { ana, ben, cleo } = world();
  const command = '/belay enable mariana.costa@example.com';
  await cleo.send('ops', command);
  const form = await cleo.seeDialog('Reason');
  const request = await ask(ana, command);
  await cleo.submit(form, { reason: { input: aReason } });
  const answer = await cleo.seeMessage('No request was sent');
  expect(JSON.stringify(answer.blocks)).toContain(aReason);
  expect(requests()).toHaveLength(1);
  await cleo.press(answer, 'Follow request');
  await cleo.seeMessage("You'll get a direct message with the outcome");
  await ben.press(request, 'Approve');
  await followed(cleo, 'is enabled.');
  await heardBack(ana);

  await cleo.press(answer, 'Follow request');
  expect((await cleo.seeMessage('This request was completed.')).text).toContain('is enabled.');
});
