import { expect, test } from 'vitest';
import { buttonTexts, messagesOf, seeAgain } from '../../../support/ask.ts';
import { openProtectedUsers, requestReviewed } from '../../../support/rules.ts';
import { shareWorld } from '../../../support/world.ts';
import { kim, stageInvitations } from './invite-stage.ts';

const documented = shareWorld({ dialect: 'documented' });

test('the documented dialect has no invitations, and Belay says so', async () => {
  const { ana, service } = documented();
  await ana.send('ops', `/belay invite ${kim}`);
  await ana.seeDialog("This service doesn't offer invitations through its API.");
  await ana.send('ops', '/belay users invited');
  const list = await ana.seeMessage('invited users');
  expect(JSON.stringify(list.blocks)).not.toContain('Invite again…');
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

const partial = shareWorld({ dialect: 'live', service: { without: ['create-user'] } });

test('a live service without the operation offers none either', async () => {
  const { ana } = partial();
  await ana.send('ops', `/belay invite ${kim}`);
  await ana.seeDialog("This service doesn't offer invitations through its API.");
});

const stage = stageInvitations();

test('automatic provisioning is refused before the form', async () => {
  const { ana, service, portal } = stage.world();
  service.setAutoProvisioning(portal.id, true);
  await ana.send('ops', `/belay invite ${kim}`);
  await ana.seeDialog('Automatic user provisioning is on');
  service.setAutoProvisioning(portal.id, false);
});

test('protected roles are not granted, and protected users are not deleted to invite them again', async () => {
  const { ana, ben, cleo } = stage.world();
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Completed');
  await cleo.submit(await openProtectedUsers(cleo), {
    addresses: { input: kim },
    roles: { input: 'Restore Operator' },
  });
  const change = await requestReviewed(cleo, ben);
  await ben.press(change, 'Approve');
  await seeAgain(ben, change, 'Completed');

  await ana.send('ops', `/belay users ${kim}`);
  const card = await ana.see(
    () => messagesOf(ana).find((one) => buttonTexts(one).includes('Rename…')),
    'the user',
  );
  expect(buttonTexts(card)).not.toContain('Invite again…');
  await ana.send('ops', `/belay invite ${kim}`);
  const known = await ana.seeDialog('has already been invited.');
  await ana.press(known, 'Invite again…');
  await ana.close(await ana.seeDialog('is protected'));

  const form = await stage.openForm(ana, '/belay invite lee@example.com Lee as Restore Operator');
  expect(form.title).toBe('Invite user');
  await ana.submit(form, {
    role: { input: '10000000-0000-4000-a000-000000000004' },
    units: { input: ['00000000-0000-0000-0000-000000000000'] },
    reason: { input: 'New colleague' },
  });
  await ana.seeMessage('The role *Restore Operator* is protected in this workspace.');
});
