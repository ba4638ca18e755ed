import { afterEach, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { ask, heardBack, seeAgain, withdraw } from '../../support/ask.ts';
import { changeSetup, requestSetup, reviewSetup } from '../../support/set-up.ts';

const { world, db } = shareWorldWithDatabase();
const owner = 'joana.prado@example.com';

/** What the waiting changes hold: whether a token, and whether the address. */
async function held() {
  const rows = await db().selectFrom('setup_change').selectAll().execute();
  return {
    tokens: rows.filter((row) => row.token_sealed !== null).length,
    owners: rows.filter((row) => JSON.stringify(row.change).includes(owner)).length,
  };
}

const nothing = { tokens: 0, owners: 0 };

afterEach(async () => {
  await expect.poll(held).toEqual(nothing);
});

const requestToken = () => requestSetup(world().cleo, { token: world().portal.token, owner });

test('a change that was denied keeps no token and no address', async () => {
  const { ben, cleo } = world();
  const request = await requestToken();
  expect(await held()).toEqual({ tokens: 1, owners: 1 });
  await ben.press(request, 'Deny');
  await ben.submit(await ben.seeDialog('Deny request'), { reason: { input: 'Too risky' } });
  await seeAgain(cleo, request, 'Too risky');
  expect(await held()).toEqual(nothing);
  await heardBack(cleo);
});

test('a change that was withdrawn keeps no token and no address', async () => {
  const { cleo } = world();
  const request = await requestToken();
  await withdraw(cleo, request);
  await seeAgain(cleo, request, 'Nothing was changed.');
  expect(await held()).toEqual(nothing);
});

test('changes that were reviewed or requested keep nothing after another save', async () => {
  const { cleo, portal } = world();
  await requestToken();
  await cleo.close(await reviewSetup(cleo, { token: portal.token, owner }));
  expect(await held()).toEqual({ tokens: 2, owners: 2 });
  await cleo.close(await changeSetup(cleo, { grace: '45' }));
  expect(await held()).toEqual(nothing);
  await heardBack(cleo);
});

test('a change that was approved keeps no address once it was announced', async () => {
  const { ana, ben, cleo } = world();
  const request = await requestToken();
  await ben.press(request, 'Approve');
  await seeAgain(cleo, request, 'The setup was changed.');
  const { text } = await ben.seeMessage(new RegExp(`changed Belay's setup[^]*${owner}`));
  expect(text).toContain(people.cleo);
  await heardBack(cleo);
  // The saved token works.
  await ask(ana, '/belay disable kim.lee@example.com');
});
