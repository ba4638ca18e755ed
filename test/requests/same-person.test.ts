import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, heardBack, seeAgain, withdraw } from '../support/ask.ts';
import { approveStored } from './approved-by.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();
const joana = 'joana.prado@example.com';
const sameMailbox = `<@${people.ana}> and <@${people.ben}> have the same mailbox, so they count as one person.`;

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

/** Ben presses the button and is refused; the request stays pending. */
async function expectRefused(request: Message, button: string, words: string): Promise<void> {
  const { ana, ben } = world();
  await ben.press(request, button);
  const answer = await ben.seeMessage(words);
  expect(answer.isEphemeral).toBe(true);
  expect(answer.text).toContain('Nothing was changed.');
  expect(ben.snapshot().views).toEqual([]);
  await seeAgain(ana, request, 'Waiting for approval.');
  expect(writes()).toEqual([]);
}

test.each(['Approve', 'Deny'])(
  'refuses %s by another Slack account with the mailbox of the requester',
  async (button) => {
    const { ana, slack } = world();
    const request = await ask(ana, `/belay disable ${joana}`);
    slack.setPerson(people.ana, { email: 'Ben+ops@Harbor.example' });
    await expectRefused(request, button, sameMailbox);
    expect((await logOf(db(), request)).at(-1)).toBe(`refused ${people.ben} same_mailbox`);
  },
);

test.each([
  { hidden: 'ana', button: 'Approve' },
  { hidden: 'ana', button: 'Deny' },
  { hidden: 'ben', button: 'Deny' },
] as const)(
  'refuses $button if Slack does not show the address of $hidden, and says whose it is',
  async ({ hidden, button }) => {
    const { ana, slack } = world();
    const request = await ask(ana, `/belay disable ${joana}`);
    slack.setPerson(people[hidden], { email: '' });
    await expectRefused(
      request,
      button,
      `Slack doesn't show Belay the email address of <@${people[hidden]}>`,
    );
  },
);

/** Approved by Ben, as if the process had stopped before the run. */
function approveWithoutRunning(request: Message): Promise<void> {
  return approveStored(db(), request, [people.ben], new Date());
}

test.each([
  { what: 'same mailbox', email: 'ben@harbor.example', words: sameMailbox },
  { what: 'missing address', email: '', words: `the email address of <@${people.ana}>` },
])('a run stops if meanwhile the requester has the $what', async ({ email, words }) => {
  const { ana, belay, slack } = world();
  const request = await ask(ana, `/belay disable ${joana}`);
  await approveWithoutRunning(request);
  slack.setPerson(people.ana, { email });
  await belay.sweep();
  expect((await seeAgain(ana, request, "Couldn't ")).text).toContain(words);
  await heardBack(ana);
  expect(writes()).toEqual([]);
});

async function scheduled(email: string): Promise<Message> {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(request, 'Approve');
  const waiting = await seeAgain(ana, request, 'will be deleted');
  await heardBack(ana);
  return waiting;
}

test.each(['ana', 'ben'] as const)('%s cannot cancel a deletion of their own user', async (who) => {
  const { [who]: subject, ana, slack } = world();
  const request = await scheduled(joana);
  const before = writes().length;
  slack.setPerson(people[who], { email: joana });
  await subject.press(request, 'Cancel deletion');
  const answer = await subject.seeMessage(`This request is about <@${people[who]}>`);
  expect(answer.text).toContain('Nothing was changed.');
  await seeAgain(ana, request, 'will be deleted');
  expect(writes()).toHaveLength(before);
  expect((await logOf(db(), request)).at(-1)).toBe(`refused ${people[who]} approver_is_subject`);
});

test.each([
  { who: 'ben', email: '' },
  { who: 'ana', email: '' },
  { who: 'ben', email: 'ana+approver@harbor.example' },
] as const)(
  '$who with the address "$email" can cancel a deletion, which is for the safe side',
  async ({ who, email }) => {
    const { [who]: canceler, ana, slack } = world();
    const request = await scheduled('kim.lee@example.com');
    slack.setPerson(people[who], { email });
    await canceler.press(request, 'Cancel deletion');
    await seeAgain(ana, request, 'is enabled again.');
    await ana.seeMessage(/The deletion was canceled\. .*Your request to /);
  },
);

test('a requester who has become the subject cannot withdraw the request', async () => {
  const { ana, slack } = world();
  const request = await ask(ana, `/belay disable ${joana}`);
  slack.setPerson(people.ana, { email: joana });
  await withdraw(ana, request);
  await ana.seeMessage(`This request is about <@${people.ana}>`);
  await seeAgain(ana, request, 'Waiting for approval.');
});

test('the subject of a request cannot deny it', async () => {
  const { ana, slack } = world();
  const request = await ask(ana, `/belay disable ${joana}`);
  slack.setPerson(people.ben, { email: joana });
  await expectRefused(request, 'Deny', `This request is about <@${people.ben}>`);
});
