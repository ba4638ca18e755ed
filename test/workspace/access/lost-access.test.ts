import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { serviceAlert } from '../../features/watches/poll-stage.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { messagesOf } from '../../support/ask.ts';
import { storeSettings } from '../../support/store-settings.ts';
import { shortIntervals } from '../../support/world.ts';

let ahead = 0;
const clock = () => new Date(Date.now() + ahead);
const { world, db } = shareWorldWithDatabase({ clock, intervals: shortIntervals });

/** As if setup had saved them. */
async function saveViewers(viewers: string[]): Promise<void> {
  await storeSettings(db(), { access: { roles: { viewers } } });
}

test('a watch in direct messages is paused once its reader may no longer use Belay', async () => {
  const { ana, portal, service } = world();
  const raise = (id: string) => service.putAlert(portal.id, serviceAlert(id, new Date()));
  const shown = () => JSON.stringify(messagesOf(ana));
  await ana.send('Belay', '/belay watch all');
  await ana.seeMessage('Watch added.');
  raise('alert-before');
  await ana.seeMessage('alert-before');

  await saveViewers([people.ben]);
  // Until every process has noticed.
  ahead += 61_000;
  raise('alert-after');
  await ana.seeMessage(
    'You no longer have access to Belay. Your watch in your direct messages with Belay is paused.',
  );
  expect(shown()).not.toContain('alert-after');

  await saveViewers([]);
  await ana.send('Belay', '/belay watch');
  await ana.seeMessage('1 paused watch resumed.');
  raise('alert-resumed');
  await ana.seeMessage('alert-resumed');
});
