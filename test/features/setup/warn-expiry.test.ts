import { addDays } from 'date-fns/addDays';
import { expect, onTestFinished, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { Database } from '../../../src/database/tables.ts';
import { messagesOf } from '../../support/ask.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { changeSetup } from '../../support/set-up.ts';
import { shareWorld, shortIntervals } from '../../support/world.ts';

const dayMs = 24 * 3600_000;
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
let db: Database;
const world = shareWorld({
  clock,
  intervals: { ...shortIntervals, warnOfExpiry: 50 },
  openDatabase: async () => {
    const opened = await openAnyDatabase();
    db = opened.db;
    return opened;
  },
});

/** Also waits until Belay has recorded that it sent them: else they are late, and repeated, once the clock moves. */
async function seeWarnings(name: 'ana' | 'cleo', count: number): Promise<void> {
  await expect.poll(() => warningsTo(name)).toHaveLength(count);
  const waiting = db.selectFrom('delivery_message').select('id').where('state', '=', 'queued');
  await expect.poll(() => waiting.execute()).toEqual([]);
}

const warningsTo = (name: 'ana' | 'cleo') =>
  messagesOf(world()[name])
    .map(({ text }) => text)
    .filter((text) => text.includes('API token expire'));

test('the admin who saved a token is warned once 14 days ahead, by the nearest warning after an outage, and at the end', async () => {
  const { cleo, portal, service } = world();
  const expiresAt = addDays(clock(), 15);
  const token = service.issueToken(portal.id, { expiresAt });
  await cleo.close(await changeSetup(cleo, { token }));
  expect(warningsTo('cleo')).toEqual([]);

  aheadMs = 1.5 * dayMs;
  await seeWarnings('cleo', 1);
  const [first] = warningsTo('cleo');
  expect(first).toContain('API token expires soon');
  expect(first).toContain(`<!date^${Math.floor(+expiresAt / 1000)}^`);
  expect(first).toContain('`/belay setup`');

  // As if Belay had been down: the warnings 7 and 3 days ahead are not sent anymore.
  aheadMs = 14.5 * dayMs;
  await seeWarnings('cleo', 2);
  aheadMs = 16 * dayMs;
  await seeWarnings('cleo', 3);
  expect(warningsTo('cleo')[2]).toContain('API token expired');
  aheadMs = 0;
});

test('the admins are warned once the admin who saved a token has left', async () => {
  const { ana, cleo, portal, service, slack } = world();
  const token = service.issueToken(portal.id, { expiresAt: addDays(clock(), 15) });
  await cleo.close(await changeSetup(cleo, { token }));
  slack.setPerson(people.ana, { isAdmin: true });
  slack.setPerson(people.cleo, { isDeactivated: true });
  onTestFinished(() => {
    slack.setPerson(people.ana, { isAdmin: false });
    slack.setPerson(people.cleo, { isDeactivated: false });
    aheadMs = 0;
  });
  aheadMs = 1.5 * dayMs;
  await ana.seeMessage('API token expires soon');
});

test('the approvals channel is warned if there is one, and a replaced token gets its own warnings', async () => {
  const { ana, cleo, portal, service } = world();
  const issue = (days: number) =>
    service.issueToken(portal.id, { expiresAt: addDays(clock(), days) });
  await cleo.close(await changeSetup(cleo, { channel: 'C0APPROVE2' }));
  await cleo.close(await changeSetup(cleo, { token: issue(5) }));
  await seeWarnings('ana', 1);
  await cleo.close(await changeSetup(cleo, { token: issue(6) }));
  await seeWarnings('ana', 2);
  expect(ana.slackUserId).toBe(people.ana);
  expect(warningsTo('ana').join()).not.toContain('expired');
});
