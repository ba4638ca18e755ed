import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

const reason = { reason: { input: 'Left the company on Friday' } };

test('a user is disabled when a second person approves', async () => {
  const { ana, ben, service } = await startWorld();
  const [portal] = service.portals;
  const portalId = portal?.id ?? '';

  await ana.send('ops', '/belay disable ana.silva@example.com');
  const form = await ana.seeDialog('Reason');
  await ana.submit(form, reason);

  const request = await ana.seeMessage('requests approval to disable');
  await ana.press(request, 'Approve');
  await ana.seeMessage("You can't decide your own request.");

  await ben.press(await ben.seeMessage('requests approval to disable'), 'Approve');
  const done = await ben.seeMessage('is disabled.');
  expect(JSON.stringify(done.blocks)).not.toContain('"Approve"');
  await ana.seeMessage('Your request to disable');
  const silva = service.users(portalId).find(({ email }) => email === 'ana.silva@example.com');
  expect(silva?.is_enabled).toBe(false);
});
