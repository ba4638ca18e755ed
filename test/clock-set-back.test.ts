import { beforeEach, test } from 'vitest';
import { people } from '../playground/people.ts';
import { shareWorldWithDatabase } from './requests/world-with-database.ts';
import { storeSettings } from './support/store-settings.ts';

/** Slack's requests are signed with the real time, and count as old after five minutes. */
const aheadMs = 4 * 60_000;

/** How far the clock is ahead, and how much time has passed in addition to the real time. */
let movedMs = 0;
let passedMs = 0;

const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + movedMs),
  monotonicClock: () => performance.now() + passedMs,
  callLimits: { command: 2, click: 1000 },
});

beforeEach(() => {
  movedMs = aheadMs;
  passedMs += aheadMs;
});

/** So much time passes, and the clock is set back to the real time. */
function setBackAfter(ms: number): void {
  passedMs += ms;
  movedMs = 0;
}

test('nobody is locked out as too frequent for longer than a minute', async () => {
  const { ana } = world();
  for (const times of [1, 2, 3]) await ana.send('ops', `/belay help ${times}`);
  await ana.seeMessage("You've sent more than 2 commands within a minute.");
  setBackAfter(60_000);
  await ana.send('ops', '/belay nothing');
  await ana.seeMessage('Unknown command');
});

test('a first role is noticed within 10 seconds', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay nothing');
  await ana.seeMessage('Unknown command');
  await storeSettings(db(), { access: { roles: { viewers: [people.ben] } } });
  setBackAfter(10_000);
  await ana.send('ops', '/belay nothing');
  await ana.seeMessage("You don't have access to Belay in this workspace.");
});
