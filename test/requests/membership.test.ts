import { describe, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { ask, buttonTexts, messagesOf, seeAgain } from '../support/ask.ts';
import { clickRaw, commandRaw, openAnswerBox } from '../support/raw-request.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld();

const askMember = 'Nothing was changed. Ask a full member of this workspace for help.';
const outsiders: { who: 'gus' | 'sam'; refusal: string; toCommand?: string }[] = [
  { who: 'gus', refusal: `Guests of this workspace can't use Belay. ${askMember}` },
  {
    who: 'sam',
    refusal: `People from other workspaces can't use Belay. ${askMember}`,
    // Slack sends a command from the workspace of the person who types it.
    toCommand: "Belay isn't installed in this workspace. Nothing was changed.",
  },
];

describe.each(outsiders)('$who is refused', ({ who, refusal, toCommand = refusal }) => {
  test.each(['', 'help', 'users ana', 'alerts', 'disable ana.silva@example.com', 'setup'])(
    'when typing /belay %s',
    async (text) => {
      const { [who]: outsider, service } = world();
      await outsider.send('ops', `/belay ${text}`);
      const answer = await outsider.seeMessage(toCommand);
      expect(answer.isEphemeral).toBe(true);
      expect(messagesOf(outsider)).toHaveLength(1);
      expect(outsider.snapshot().views).toEqual([]);
      expect(service.requests).toEqual([]);
    },
  );

  test.each(['Approve', 'Deny', 'Approve with comment…', 'View user'])(
    'when clicking %s',
    async (button) => {
      const { [who]: outsider, ana, service } = world();
      const request = await ask(ana, '/belay disable ana.silva@example.com');
      const requestsBefore = service.requests.length;

      await outsider.press(request, button);
      expect((await outsider.seeMessage(refusal)).isEphemeral).toBe(true);
      expect(outsider.snapshot().views).toEqual([]);
      expect(buttonTexts(await seeAgain(ana, request, 'Waiting for approval.'))).toHaveLength(4);
      expect(service.requests).toHaveLength(requestsBefore);
    },
  );
});

test('a deactivated account cannot run a command', async () => {
  const { service } = world();
  const box = await openAnswerBox();
  const command = { slackUserId: people.dee, text: 'users ana', responseUrl: box.url };
  expect((await commandRaw(world(), command)).status).toBe(200);
  expect(await box.answer).toContain("Deactivated accounts can't use Belay.");
  expect(service.requests).toEqual([]);
});

test('a deactivated account cannot click', async () => {
  const { ana } = world();
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  const box = await openAnswerBox();
  const click = { slackUserId: people.dee, on: request, button: 'Approve', responseUrl: box.url };
  expect((await clickRaw(world(), click)).status).toBe(200);
  expect(await box.answer).toContain("Deactivated accounts can't use Belay.");
  await seeAgain(ana, request, 'Waiting for approval.');
});

test('the log entry of a refusal contains the person, but not the text', async () => {
  const { gus, logged } = world();
  await gus.send('ops', '/belay users gus.secret@example.com');
  await gus.seeMessage("Guests of this workspace can't use Belay.");
  const line = logged.find((one) => one.includes('refused someone who is not a full member'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ slackUserId: people.gus, membership: 'guest' });
  expect(logged.join('')).not.toContain('gus.secret');
});
