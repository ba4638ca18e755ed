import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { aReason, ask, fillForm, messagesOf } from '../../support/ask.ts';
import { changeSetup } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();
const ben = `<@${people.ben}>`;
const cleo = `<@${people.cleo}>`;

async function nameApprovers(approvers: string[]): Promise<void> {
  const admin = world().cleo;
  await admin.close(await changeSetup(admin, { approvers }));
}

async function expectNotPosted(command: string, lines: string[]): Promise<void> {
  const { ana } = world();
  await fillForm(ana, command);
  const told = await ana.seeMessage(lines.at(-1) ?? '');
  expect(told.text).toContain('No request was sent, because no approver can decide it:');
  for (const line of lines) expect(told.text).toContain(`• ${line}`);
  expect(told.text).toContain('An admin can name another approver in `/belay setup`.');
  expect(told.text).toContain(aReason);
  expect(
    messagesOf(ana).filter(({ text }) => text.includes('requests approval to disable')),
  ).toEqual([]);
}

test('a request is not posted if its subject is the only approver', async () => {
  await nameApprovers([people.ben]);
  await expectNotPosted('/belay disable ben@harbor.example', [`${ben} is the subject`]);
});

test('the requester is told of each approver why they cannot decide', async () => {
  await nameApprovers([people.ben, people.cleo]);
  const { slack } = world();
  slack.setPerson(people.ana, { email: 'ben+ops@harbor.example' });
  slack.setPerson(people.cleo, { email: '' });
  await expectNotPosted('/belay disable joana.prado@example.com', [
    `<@${people.ana}> and ${ben} have the same mailbox`,
    `Slack doesn't show Belay the email address of ${cleo}`,
  ]);
  slack.setPerson(people.cleo, { isDeactivated: true });
  await expectNotPosted('/belay disable joana.prado@example.com', [
    `${cleo} is no longer a full member of this workspace.`,
  ]);
});

test('one approver who can decide is enough', async () => {
  await nameApprovers([people.ben, people.cleo]);
  await ask(world().ana, '/belay disable ben@harbor.example');
});

test('the only approver cannot request', async () => {
  await nameApprovers([people.ben]);
  const { ben: requester } = world();
  await fillForm(requester, '/belay disable joana.prado@example.com');
  await requester.seeMessage(`${ben} requested it.`);
});

test('without named approvers a request is posted for the admins', async () => {
  await nameApprovers([]);
  await ask(world().ana, '/belay disable joana.prado@example.com');
});
