import { expect, test } from 'vitest';
import { buttonTexts, seeAgain } from '../../../support/ask.ts';
import { shareWorld } from '../../../support/world.ts';
import { requestBulk, someUsers } from './request-bulk.ts';

const world = shareWorld({ dialect: 'documented' });

test('canceling a deletion reports changes that are running at that moment', async () => {
  const { ana, ben, service, portal } = world();
  const users = someUsers(world(), 3);
  const isEnabled = () => users.map(({ id }) => service.user(portal.id, id)?.is_enabled);
  service.setFault({ kind: 'held' }, { method: 'PATCH', times: 1 });
  const request = await requestBulk(world(), 'delete', users);
  await ben.press(request, 'Approve');
  const scheduled = await seeAgain(ana, request, '2 scheduled · 1 running');

  await ben.press(scheduled, 'Cancel deletion');
  await ben.seeMessage(
    'Belay is canceling the changes that were waiting. 1 change is running right now: select *Cancel deletion* again in a few seconds to cancel it too.',
  );
  const going = await seeAgain(ana, request, '2 canceled · 1 running');
  expect(going.text).toMatch(/^🔄 Running/);
  expect(buttonTexts(going)).toEqual([]);

  service.setFault(undefined);
  const again = await seeAgain(ana, request, '2 canceled · 1 scheduled');
  await ben.press(again, 'Cancel deletion');
  const kept = await seeAgain(ana, request, 'Canceled:');
  expect(kept.text).toContain('3 canceled');
  expect(isEnabled()).toEqual([true, true, true]);
});
