import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

let ahead = 0;
const world = shareWorld({ clock: () => new Date(Date.now() + ahead) });
/** Belay remembers for a minute that a person was no full member. */
const forgotten = 60_000;
const command = '/belay disable joana.prado@example.com';

async function nameApprovers(approvers: string[]): Promise<void> {
  const { cleo } = world();
  await cleo.close(await changeSetup(cleo, { approvers }));
}

function patches() {
  return world().service.requests.filter(({ method }) => method === 'PATCH');
}

async function expectStillOpen(request: Message): Promise<void> {
  const now = await seeAgain(world().ana, request, 'Waiting for approval.');
  expect(buttonTexts(now)).toEqual([...['Approve', 'Deny', 'Approve with comment…', 'View user']]);
  expect(patches()).toEqual([]);
}

test('shows a person who is not an approver who can decide, even an admin', async () => {
  await nameApprovers([people.ben]);
  const { ana, cleo } = world();
  const byAna = await ask(ana, command);
  const refusal =
    "You aren't an approver of this request. Nothing was changed. Approvers: <@U0BEN00002>.";

  await cleo.press(byAna, 'Approve');
  expect((await cleo.seeMessage(refusal)).isEphemeral).toBe(true);
  await expectStillOpen(byAna);

  const byCleo = await ask(cleo, '/belay enable mariana.costa@example.com');
  await ana.press(byCleo, 'Deny');
  expect((await ana.seeMessage(refusal)).isEphemeral).toBe(true);
  expect(ana.snapshot().views).toEqual([]);
  await expectStillOpen(byCleo);
});

test('only admins can decide if no approvers are set', async () => {
  await nameApprovers([]);
  const { ana, ben, cleo } = world();
  const request = await ask(ana, command);
  expect(JSON.stringify(request.blocks)).toContain(
    'Approver: an admin of this workspace · Expires',
  );

  await ben.press(request, 'Approve');
  await ben.seeMessage('Approvers: the admins.');
  await expectStillOpen(request);

  await cleo.press(request, 'Approve');
  await seeAgain(ana, request, /is disabled\. Approved by <@U0CLEO0003>/);
  await heardBack(ana);
  expect(patches()).toHaveLength(1);
});

test('if two approvers click at the same time, one decides and the other sees the state', async () => {
  await nameApprovers([people.ben, people.cleo]);
  const { ana, ben, cleo } = world();
  const request = await ask(ana, command);

  await Promise.all([ben.press(request, 'Approve'), cleo.press(request, 'Approve')]);
  const done = await seeAgain(ana, request, 'is disabled.');
  expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);

  const winner = done.text.includes('Approved by <@U0BEN00002>') ? ben : cleo;
  const loser = winner === ben ? cleo : ben;
  const answer = await loser.seeMessage(/This request (is|was|has)/);
  expect(answer.isEphemeral).toBe(true);
  await heardBack(ana);
  expect(answer.text).toContain(`Approved by <@${winner.slackUserId}>`);
  expect(patches()).toHaveLength(1);
  expect(messagesOf(winner).filter(({ isEphemeral }) => isEphemeral)).toEqual([]);
});

test("a former approver can't decide", async () => {
  await nameApprovers([people.ben]);
  const { ana, ben } = world();
  const request = await ask(ana, command);
  await nameApprovers([people.cleo]);

  const updated = (message: Message) => JSON.stringify(message.blocks).includes(people.cleo);
  const seen = () => messagesOf(ben).find(({ messageTs }) => messageTs === request.messageTs);
  await ben.press(await ben.see(() => [seen()].find((one) => one && updated(one))), 'Approve');
  await ben.seeMessage('Approvers: <@U0CLEO0003>.');
  await expectStillOpen(request);
});

test("an approver who became a guest can't decide", async () => {
  await nameApprovers([people.ben]);
  const { ana, ben, slack } = world();
  const request = await ask(ana, command);
  slack.setPerson(people.ben, { isGuest: true });

  await ben.press(request, 'Approve');
  await ben.seeMessage("Guests of this workspace can't use Belay. Nothing was changed.");
  await expectStillOpen(request);
  ahead += forgotten;
});

test("a deactivated approver can't decide", async () => {
  await nameApprovers([people.ben]);
  const { ana, slack } = world();
  const request = await ask(ana, command);
  slack.setPerson(people.ben, { isDeactivated: true });

  const box = await openAnswerBox();
  const click = { slackUserId: people.ben, on: request, button: 'Approve', responseUrl: box.url };
  expect((await clickRaw(world(), click)).status).toBe(200);
  expect(await box.answer).toContain("Deactivated accounts can't use Belay.");
  await expectStillOpen(request);
  ahead += forgotten;
});

test('checks again before the run that the approver may decide', async () => {
  await nameApprovers([people.ben]);
  const { ana, ben, slack, service } = world();
  const request = await ask(ana, command);
  // Belay looks up the people after the user, so the run waits here.
  service.setFault({ kind: 'held' }, { method: 'GET' });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'Belay is making the change.');
  slack.setPerson(people.ben, { isGuest: true });
  service.setFault(undefined);

  const words = 'The approver is no longer allowed to decide.';
  await seeAgain(ana, request, words);
  expect((await heardBack(ana)).text).toContain(words);
  expect(patches()).toEqual([]);
});
