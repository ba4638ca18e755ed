import { expect, test } from 'vitest';
import { aReason, seeAgain } from '../../../support/ask.ts';
import { changeSetup } from '../../../support/set-up.ts';
import { invitation, kim, stageInvitations } from './invite-stage.ts';

const stage = stageInvitations();
const { world } = stage;

test('users who are invited again count toward the limit of users per hour', async () => {
  const { ana, ben, cleo } = world();
  await cleo.close(await changeSetup(cleo, { usersPerHour: '1' }));
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  const inviteAgain = async () => {
    await ana.send('ops', `/belay invite ${kim}`);
    await ana.press(await ana.seeDialog('has already been invited.'), 'Invite again…');
    const form = await ana.seeDialog('The earlier invitation will be deleted.');
    return stage.submit(ana, form, { reason: { input: aReason } });
  };
  const second = await inviteAgain();
  await ben.press(second, 'Approve');
  await stage.sweepUntil(ana, second, 'Completed');
  await ben.press(await inviteAgain(), 'Approve');
  await ben.seeMessage('Belay disables or deletes at most 1 user per hour in this workspace');
  expect(stage.posts()).toHaveLength(2);
  // A new invitation deletes nobody.
  const lee = 'lee@example.com';
  const form = await stage.openForm(ana, `/belay invite ${lee}`);
  const other = await stage.submit(ana, form, { ...invitation, email: { input: lee } });
  await ben.press(other, 'Approve');
  await seeAgain(ana, other, 'Completed');
});
