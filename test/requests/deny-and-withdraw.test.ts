import { expect, test } from 'vitest';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain, withdraw } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld, type World } from '../support/world.ts';

const world = shareWorld();
const command = '/belay disable joana.prado@example.com';

function isEnabled({ service, portal }: World): boolean | undefined {
  return service.users(portal.id).find(({ email }) => email === 'joana.prado@example.com')
    ?.is_enabled;
}

function writes({ service }: World) {
  return service.requests.filter(({ method }) => method !== 'GET');
}

test('a denial shows its reason to the channel and the requester, and changes nothing', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, command);

  await ben.press(request, 'Deny');
  const form = await ben.seeDialog('Visible to the requester.');
  expect(JSON.stringify(form.blocks)).toContain('requests approval to disable *Joana Prado*');
  await ben.submit(form, { reason: { input: 'She is on <leave> & comes back' } });

  const line =
    /Nothing was changed\. Denied by <@U0BEN00002> <!date\^\d+\^.*>\. .*\n\*Reason\* from <@U0BEN00002>\n&gt; She is on &lt;leave&gt; &amp; comes back$/;
  const closed = await seeAgain(ben, request, line);
  expect(buttonTexts(closed)).toEqual(['View user']);
  const answer = await heardBack(ana);
  expect(answer.text).toMatch(line);
  expect(answer.channelId).toBe('D0ANA00001');
  expect(writes(world())).toEqual([]);
  expect(isEnabled(world())).toBe(true);
});

test('a denial requires a reason', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, command);
  await ben.press(request, 'Deny');
  const outcome = await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: null },
  });
  expect(outcome.result).toBe('refused');
  await ben.seeDialog('Please complete this required field.');
  expect(buttonTexts(await seeAgain(ben, request, 'Waiting for approval.'))).toContain('Deny');
});

test('only the requester can withdraw a request', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, command);
  const sent = messagesOf(ana).find((one) => buttonTexts(one).includes('Withdraw'));
  if (!sent) throw new Error('the requester has no button to withdraw');
  const box = await openAnswerBox();
  await clickRaw(world(), {
    slackUserId: ben.slackUserId,
    on: sent,
    button: 'Withdraw',
    responseUrl: box.url,
  });
  expect(await box.answer).toContain('Only the requester can withdraw a request.');

  expect(buttonTexts(request)).toEqual(['Approve', 'Deny', 'Approve with comment…', 'View user']);
  expect(messagesOf(ben).flatMap(buttonTexts)).not.toContain('Withdraw');

  await withdraw(ana, request);
  const closed = await seeAgain(
    ben,
    request,
    /Nothing was changed\. Withdrawn by <@U0ANA00001> <!date/,
  );
  await ana.seeMessage('You withdrew your request. Nothing was changed.');
  expect(buttonTexts(closed)).toEqual(['View user']);
  expect(writes(world())).toEqual([]);
});

test('nobody can approve or deny their own request, not even an approver', async () => {
  const { ana, ben, cleo } = world();
  await changeSetup(cleo, { approvers: [ben.slackUserId, cleo.slackUserId] });
  const request = await ask(ben, command);
  const refusal = "You can't decide your own request. Nothing was changed.";

  await ben.press(request, 'Approve');
  const first = await ben.seeMessage(refusal);
  expect(first.isEphemeral).toBe(true);
  await ben.press(request, 'Deny');
  await ben.see(
    () => messagesOf(ben).filter(({ text }) => text.startsWith(refusal))[1],
    'a second refusal',
  );

  expect(ben.snapshot().views).toEqual([]);
  expect(buttonTexts(await seeAgain(ana, request, 'Waiting for approval.'))).toHaveLength(4);
  expect(writes(world())).toEqual([]);
});
