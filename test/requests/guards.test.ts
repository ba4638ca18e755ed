import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { User } from '../../playground/service/resources.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import {
  aReason,
  ask,
  buttonTexts,
  fillForm,
  heardBack,
  messagesOf,
  seeAgain,
} from '../support/ask.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld({ dialect: 'live' });
const joana = 'joana.prado@example.com';
const ben = 'ben@harbor.example';
const zoe = 'zoe.fischer@example.com';

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

function requests(): Message[] {
  return messagesOf(world().ana).filter(({ text }) => /request(s|ed) approval to/.test(text));
}

/** Submits a request that Belay refuses; resolves to the ephemeral answer. */
async function expectRequestRefused(command: string, words: string): Promise<Message> {
  const { ana } = world();
  await fillForm(ana, command);
  const answer = await ana.seeMessage(words);
  expect(answer.isEphemeral).toBe(true);
  expect(answer.text).toContain('No request was sent.');
  expect(answer.text).toContain(aReason);
  expect(requests()).toEqual([]);
  return answer;
}

/** Ben's approval is refused, and the request stays pending. */
async function expectApprovalRefused(request: Message, words: string): Promise<void> {
  const { ana } = world();
  await world().ben.press(request, 'Approve');
  const answer = await world().ben.seeMessage(words);
  expect(answer.isEphemeral).toBe(true);
  expect(answer.text).toContain('Nothing was changed.');
  expect(buttonTexts(await seeAgain(ana, request, 'Waiting for approval.'))).toContain('Approve');
  expect(writes()).toEqual([]);
}

const own = `This request is about <@${people.ana}>, so they can't approve or deny it.`;

test.each(['joana.prado@example.com', 'JOANA.Prado+oncall@Example.COM'])(
  'refuses a request about the requester: %s is the same mailbox',
  async (address) => {
    world().slack.setPerson(people.ana, { email: address });
    await expectRequestRefused(`/belay disable ${joana}`, own);
  },
);

test("approvers can't approve a request about themselves", async () => {
  const { ana, cleo } = world();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo] }));
  const request = await ask(ana, `/belay disable ${ben}`);
  await expectApprovalRefused(request, `This request is about <@${people.ben}>`);
  await world().ben.seeMessage('Another approver can decide.');
});

test.each(['ana', 'ben'] as const)(
  'refuses if the address of %s is missing in Slack',
  async (who) => {
    const { ana, slack } = world();
    const words = `Slack doesn't show Belay the email address of <@${people[who]}>`;
    if (who === 'ana') {
      slack.setPerson(people.ana, { email: '' });
      await expectRequestRefused(`/belay disable ${joana}`, words);
    } else {
      const request = await ask(ana, `/belay disable ${joana}`);
      slack.setPerson(people.ben, { email: '' });
      await expectApprovalRefused(request, words);
    }
  },
);

test("a run stops if the requester's address has become that of the user", async () => {
  const { ana, slack } = world();
  const request = await ask(ana, `/belay disable ${joana}`);
  slack.setPerson(people.ana, { email: joana });
  await world().ben.press(request, 'Approve');
  await seeAgain(ana, request, own);
  await heardBack(ana);
  expect(writes()).toEqual([]);
});

function admins(): User[] {
  const { service, portal } = world();
  return service
    .users(portal.id)
    .filter(({ access = [] }) => access.length > 0)
    .filter(({ access = [] }) => access.some(({ roleId }) => roleId.endsWith('000001')));
}

function disableOtherAdmins(): void {
  const { service, portal } = world();
  for (const { id, email } of admins()) {
    if (email !== zoe) service.changeUser(portal.id, id, { is_enabled: false });
  }
}

test('a request to disable the last enabled administrator is refused', async () => {
  disableOtherAdmins();
  const answer = await expectRequestRefused(
    `/belay disable ${zoe}`,
    'the last enabled administrator',
  );
  expect(answer.text).toContain('Give the role to somebody else first.');
});

test('a run stops if the user has become the last enabled administrator', async () => {
  const { ana } = world();
  const request = await ask(ana, `/belay disable ${zoe}`);
  expect(JSON.stringify(request.blocks)).toContain('✓ Another administrator remains');
  disableOtherAdmins();
  await world().ben.press(request, 'Approve');
  await seeAgain(ana, request, /Couldn't disable .*the last enabled administrator/);
  await heardBack(ana);
  expect(writes()).toEqual([]);
});

test('a request shows passed checks and checks that were not possible', async () => {
  const request = await ask(world().ana, `/belay disable ${joana}`);
  const shown = JSON.stringify(request.blocks);
  expect(shown).toContain(
    "✓ Requester isn't this user\\n✓ This user isn't an enabled administrator\\n⚠ Couldn't check: token owner (not set in setup)",
  );
  expect(shown).toMatch(/State: enabled · Roles: .* · Last activity: /);
});

test("a run stops if a check that passed can't be made any more", async () => {
  const { ana, cleo, service, portal } = world();
  await cleo.close(await changeSetup(cleo, { owner: 'ana.silva@example.com' }));
  const request = await ask(ana, `/belay disable ${joana}`);
  expect(JSON.stringify(request.blocks)).toContain("✓ This user isn't the token owner");
  const owner = service.users(portal.id).find(({ email }) => email === 'ana.silva@example.com');
  service.changeUser(portal.id, owner?.id ?? '', { email: 'gone@example.com' });
  await world().ben.press(request, 'Approve');
  await seeAgain(ana, request, 'A check that had passed can no longer be made: token owner');
  await heardBack(ana);
  expect(writes()).toEqual([]);
  await cleo.close(await changeSetup(cleo, { owner: null }));
});
