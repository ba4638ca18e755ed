import { expect, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { replaceConnection } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

const world = shareWorld();
const email = 'joana.prado@example.com';

/** Requested by Ana and approved by Ben. */
async function disable(): Promise<Message> {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  await ben.press(request, 'Approve');
  const disabled = await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  expect(buttonTexts(disabled)).toEqual(['Re-enable', 'View user']);
  return disabled;
}

/** The request in its channel and the requester's copy, once both say that it was undone. */
async function seeUndone(request: Message): Promise<Message[]> {
  const { ana } = world();
  const words = 'was disabled. This change was undone later.';
  const inChannel = await seeAgain(ana, request, words);
  const copy = await ana.see(
    () =>
      messagesOf(ana).find(
        ({ text }) => text.includes('Your request to disable') && text.includes(words),
      ),
    'the copy of the request that was undone',
  );
  return [inChannel, copy];
}

test('Re-enable goes from both messages once another request has re-enabled the user', async () => {
  const { ana, ben } = world();
  const disabled = await disable();
  const enabling = await ask(ana, `/belay enable ${email}`);
  await ben.press(enabling, 'Approve');
  await heardBack(ana, 2);
  for (const shown of await seeUndone(disabled)) expect(buttonTexts(shown)).toEqual(['View user']);
});

test('Re-enable of a user who was re-enabled in the portal says so, and goes', async () => {
  const { ana, service, portal } = world();
  const disabled = await disable();
  const user = service.users(portal.id).find((one) => one.email === email);
  service.changeUser(portal.id, user?.id ?? '', { is_enabled: true });
  await ana.press(disabled, 'Re-enable');
  await ana.seeDialog('is already enabled. No request was sent.');
  for (const shown of await seeUndone(disabled)) expect(buttonTexts(shown)).toEqual(['View user']);
});

test('Re-enable stays on a request of a replaced connection, where the id may be of another user', async () => {
  const { ana, service, portal } = world();
  const disabled = await disable();
  await replaceConnection(world());
  const user = service.users(portal.id).find((one) => one.email === email);
  service.changeUser(portal.id, user?.id ?? '', { is_enabled: true });
  await ana.press(disabled, 'Re-enable');
  await ana.seeDialog('is already enabled. No request was sent.');
  const shown = await seeAgain(ana, disabled, 'is disabled.');
  expect(buttonTexts(shown)).toEqual(['Re-enable', 'View user']);
});
