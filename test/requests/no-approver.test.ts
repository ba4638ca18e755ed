import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { aReason, ask, fillForm, messagesOf } from '../support/ask.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld();
const ben = `<@${people.ben}>`;
const cleo = `<@${people.cleo}>`;

async function nameApprovers(approvers: string[]): Promise<void> {
  const admin = world().cleo;
  await admin.close(await changeSetup(admin, { approvers }));
}

async function expectNotPosted(
  command: string,
  lines: string[],
  requester = world().ana,
): Promise<void> {
  const form = await fillForm(requester, command);
  // The form shows this before anything is typed.
  const warning = JSON.stringify(form.blocks);
  expect(warning).toContain('*This request would be refused right now.*');
  for (const line of lines) expect(warning).toContain(`• ${line}`);
  const answer = await requester.seeMessage(lines.at(-1) ?? '');
  expect(answer.text).toContain(
    'No request was sent, because no approver can decide this request:',
  );
  for (const line of lines) expect(answer.text).toContain(`• ${line}`);
  expect(answer.text).toContain('An admin can add approvers in `/belay access`.');
  expect(answer.text).toContain(aReason);
  expect(
    messagesOf(requester).filter(({ text }) => text.includes('requests approval to disable')),
  ).toEqual([]);
}

test('a request is not posted if its subject is the only approver', async () => {
  await nameApprovers([people.ben]);
  await expectNotPosted('/belay disable ben@harbor.example', [`This request is about ${ben}`]);
});

test("the requester sees for each approver why they can't decide", async () => {
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
  const { ana } = world();
  await ana.send('ops', '/belay disable ben@harbor.example');
  const form = await ana.seeDialog('Reason');
  expect(JSON.stringify(form.blocks)).not.toContain('refused');
  await ana.close(form);
  await ask(ana, '/belay disable ben@harbor.example');
});

test('the only approver cannot request', async () => {
  await nameApprovers([people.ben]);
  const { ben: requester } = world();
  await fillForm(requester, '/belay disable joana.prado@example.com');
  await requester.seeMessage(`${ben} is the requester.`);
});

describe('without named approvers', () => {
  beforeEach(() => nameApprovers([]));
  afterEach(() => {
    const { slack } = world();
    slack.setPerson(people.cleo, { email: 'cleo@harbor.example' });
    slack.setPerson(people.ben, { isAdmin: false });
  });

  test('a request is posted for the admins', async () => {
    await ask(world().ana, '/belay disable joana.prado@example.com');
  });

  test('a request of the only admin is not posted', async () => {
    await expectNotPosted(
      '/belay disable joana.prado@example.com',
      [`${cleo} is the requester.`],
      world().cleo,
    );
  });

  test('a request about the only admin is not posted', async () => {
    world().slack.setPerson(people.cleo, { email: 'kim.lee@example.com' });
    await expectNotPosted('/belay disable kim.lee@example.com', [`This request is about ${cleo}`]);
  });

  test('a request of one of two admins is posted', async () => {
    world().slack.setPerson(people.ben, { isAdmin: true });
    await ask(world().cleo, '/belay disable joana.prado@example.com');
  });

  test('a request is posted if Slack does not list the admins', async () => {
    const { slack, cleo: requester } = world();
    // For the check when the form opens and the one after submission.
    slack.failNext('users.list', 'internal_error');
    slack.failNext('users.list', 'internal_error');
    await ask(requester, '/belay disable ana.silva@example.com');
  });
});
