import { expect, test } from 'vitest';
import {
  aReason,
  ask,
  buttonTexts,
  heardBack,
  messagesOf,
  seeAgain,
  withdraw,
} from '../../support/ask.ts';
import { submitRaw } from '../../support/raw-request.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();
const email = 'joana.prado@example.com';
const warning =
  "If approved, the user is disabled immediately and deleted after 30 minutes. Until then you can cancel the deletion. After that it can't be undone.";

function joana() {
  const { service, portal } = world();
  return service.users(portal.id).find((user) => user.email === email);
}

test('a wrong address leaves the form open, with an error at the field', async () => {
  const { ana } = world();
  await ana.send('ops', `/belay delete ${email}`);
  const form = await ana.seeDialog('Reason');
  expect(JSON.stringify(form.blocks)).toContain(warning);

  await ana.submit(form, {
    reason: { input: aReason },
    email: { input: 'joana.prado@example.org' },
  });
  const open = await ana.seeDialog('Enter exactly joana.prado@example.com.');
  expect(open.viewId).toBe(form.viewId);
  expect(Object.keys(open.errors)).toEqual(['email']);

  // The reason is still there, so only the address has to be corrected.
  await ana.submit(open, { email: { input: 'Joana.PRADO@example.com ' } });
  const request = await ana.seeMessage('Waiting for approval.');
  expect(
    messagesOf(ana).filter(({ text }) => text.includes('requests approval to delete')),
  ).toHaveLength(1);
  expect(JSON.stringify(request.blocks)).toContain(aReason);
  await withdraw(ana, request);
  await seeAgain(ana, request, 'Withdrawn by');
});

test('the address in a form with forged metadata is checked against the service', async () => {
  const { ana, service } = world();
  await ana.send('ops', `/belay delete ${email}`);
  const form = await ana.seeDialog('Reason');
  const state = {
    reason: { input: { type: 'plain_text_input', value: aReason } },
    email: { input: { type: 'plain_text_input', value: 'x' } },
  };
  const metadata = { verb: 'delete', userId: joana()?.id, channelId: 'C0OPS00001', toType: 'x' };
  const submission = { slackUserId: ana.slackUserId, form, state, metadata };
  expect((await submitRaw(world(), submission)).body).toBe('');
  const answer = await ana.seeMessage("The confirmation doesn't match `joana.prado@example.com`");
  expect(answer.text).toContain(aReason);
  expect(messagesOf(ana).filter(({ text }) => /request(s|ed) approval to/.test(text))).toEqual([]);
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the request shows the grace period, and approving disables the user', async () => {
  const { ana, ben, service } = world();
  const id = joana()?.id;
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  const shown = JSON.stringify(request.blocks);
  expect(shown).toContain('Delete Joana Prado (joana.prado@example.com)');
  expect(shown).toContain(warning);
  expect(joana()).toBeDefined();

  await ben.press(request, 'Approve');
  const scheduled = await seeAgain(ana, request, 'will be deleted');
  expect(scheduled.text).toContain(
    "*Joana Prado*'s account (joana.prado@example.com) is disabled.",
  );
  expect(buttonTexts(scheduled)).toEqual(['Cancel deletion', 'View user']);
  expect((await heardBack(ana)).text).toContain('will be deleted <!date^');
  expect(joana()?.is_enabled).toBe(false);
  const writes = service.requests.filter(({ method }) => method !== 'GET');
  expect(writes).toMatchObject([
    { method: 'PATCH', path: `/users/${id}`, body: '{"is_enabled":false}' },
  ]);
});
