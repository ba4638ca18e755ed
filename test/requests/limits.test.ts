import { afterEach, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, fillForm, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

const hourMs = 60 * 60_000;
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const world = shareWorld({ clock });
afterEach(() => {
  ahead = 0;
});

const disable = (email: string) => ask(world().ana, `/belay disable ${email}`);

test('the token owner is neither disabled nor deleted', async () => {
  const { ana, cleo } = world();
  const owner = 'joana.prado@example.com';
  const before = await disable(owner);
  await cleo.close(await changeSetup(cleo, { owner }));
  const words = "This user owns Belay's API token";
  const form = await fillForm(ana, `/belay disable ${owner}`);
  expect(JSON.stringify(form.blocks)).toContain(
    `*This request would be refused right now.*\\n${words}`,
  );
  expect((await ana.seeMessage(`No request was sent. ${words}`)).isEphemeral).toBe(true);

  // Requested before the owner was set.
  await world().ben.press(before, 'Approve');
  await seeAgain(ana, before, words);
  await heardBack(ana);
  expect(world().service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

  const other = await disable('ana.silva@example.com');
  expect(JSON.stringify(other.blocks)).toContain("✓ This user isn't the token owner");
  await cleo.close(await changeSetup(cleo, { owner: null }));
});

/** Ben approves at the time of the injected clock. `answer` resolves only if this is refused. */
async function approveNow(request: Message): Promise<{ answer: Promise<string> }> {
  const { url, answer } = await openAnswerBox();
  const click = { slackUserId: people.ben, on: request, button: 'Approve', responseUrl: url };
  await clickRaw(world(), { ...click, at: clock() });
  return { answer };
}

test('approvals are refused above the limit of users per hour', async () => {
  const { ana, ben, cleo } = world();
  await cleo.close(await changeSetup(cleo, { usersPerHour: '2' }));
  const first = await disable('joana.prado@example.com');
  const again = await disable('joana.prado@example.com');
  const second = await disable('kim.lee@example.com');
  const third = await disable('ana.silva@example.com');
  const enable = await ask(ana, '/belay enable mariana.costa@example.com');

  for (const request of [first, second]) await ben.press(request, 'Approve');
  await heardBack(ana, 2);
  await ben.press(third, 'Approve');
  const refusal = 'Belay disables or deletes at most 2 users per hour in this workspace';
  expect((await ben.seeMessage(refusal)).isEphemeral).toBe(true);
  expect(buttonTexts(await seeAgain(ana, third, 'Waiting for approval.'))).toContain('Approve');

  // The same user counts once, and enabling a user doesn't count.
  for (const request of [again, enable]) await ben.press(request, 'Approve');
  await seeAgain(ana, again, 'No change was needed.');
  await heardBack(ana, 4);

  ahead = hourMs - 60_000;
  expect(await (await approveNow(third)).answer).toContain(refusal);
  ahead = hourMs + 60_000;
  await approveNow(third);
  await seeAgain(ana, third, 'is disabled.');
  await heardBack(ana, 5);
  expect(messagesOf(ana).filter(({ text }) => text.includes('Waiting for approval.'))).toEqual([]);
});
