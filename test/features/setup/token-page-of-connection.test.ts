import { addDays } from 'date-fns/addDays';
import { expect, test } from 'vitest';
import { findPorts } from '../../../playground/free-ports.ts';
import { addEast } from '../../support/add-connection.ts';
import { buttonTexts, messagesOf } from '../../support/ask.ts';
import { openSetup } from '../../support/set-up.ts';
import { openPage, readLink } from '../../support/token-page.ts';
import { shortIntervals, startWorld } from '../../support/world.ts';

test('a token from a page goes only to the connection whose form asked for it, and its expiry leads to that form', async () => {
  const port = await findPorts(1);
  const world = await startWorld({
    callLimits: { command: 1000, click: 1000 },
    intervals: { ...shortIntervals, warnOfExpiry: 50 },
    env: { BELAY_PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: String(port) },
  });
  await addEast(world);
  const { cleo, service } = world;
  const [, east] = service.portals;
  if (!east) throw new Error('the reference service has one portal');
  await cleo.send('ops', '/belay connection');
  const list = await cleo.seeMessage('*east*');
  await cleo.press(list, 'Edit: connection east');
  const form = await cleo.seeDialog('people add on:europe');
  const page = await openPage(await readLink(cleo, form));
  expect(page.html).toContain('east');
  await cleo.close(form);
  const token = service.issueToken(east.id, { expiresAt: addDays(new Date(), 5) });
  expect((await page.send(token)).status).toBe(200);
  const answer = await cleo.seeMessage('of the connection *east* that was entered');

  const setup = await openSetup(cleo);
  expect(JSON.stringify(setup.blocks)).not.toContain('Token received');
  await cleo.close(setup);
  await cleo.press(answer, 'Edit connection');
  await cleo.submit(await cleo.seeDialog('*Token received* on the web page'), {});
  const saved = await cleo.seeDialog('The API token was replaced.');
  await cleo.close(saved);
  await cleo.send('ops', '/belay alerts on:east');
  await cleo.seeMessage('Active alerts');
  expect(service.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);

  const warning = await cleo.see(() =>
    messagesOf(cleo).find(({ text }) => text.includes('of the connection *east* expires')),
  );
  expect(buttonTexts(warning)).toEqual(['Edit connection']);
  await cleo.press(warning, 'Edit connection');
  const again = await cleo.seeDialog('people add on:europe');
  expect(JSON.stringify(again.blocks)).toContain('"east"');
  await cleo.close(again);
});

test('a token from a page waits for its form while another connection is edited, and is missed when it is gone', async () => {
  const port = await findPorts(1);
  const world = await startWorld({
    callLimits: { command: 1000, click: 1000 },
    env: { BELAY_PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: String(port) },
  });
  await addEast(world);
  const { cleo, service } = world;
  const [, east] = service.portals;
  if (!east) throw new Error('the reference service has one portal');
  await cleo.send('ops', '/belay connection');
  const list = await cleo.seeMessage('*east*');
  const edit = async (name: string) => {
    await cleo.press(list, `Edit: connection ${name}`);
    return cleo.seeDialog('people add on:europe');
  };
  const form = await edit('east');
  const page = await openPage(await readLink(cleo, form));
  await cleo.close(form);
  await page.send(service.issueToken(east.id));
  await cleo.seeMessage('of the connection *east* that was entered');
  const other = await edit('main');
  await readLink(cleo, other);
  await cleo.close(other);

  const again = await edit('east');
  expect(JSON.stringify(again.blocks)).toContain('*Token received* on the web page');
  // A new link takes the place of the token that the form mentions.
  await readLink(cleo, again);
  await cleo.submit(again, {});
  const retry = await cleo.seeDialog('The token from the web page is no longer available.');
  await cleo.close(retry);
  await cleo.submit(await edit('east'), {});
  const unchanged = await cleo.seeDialog('Nothing was changed.');
  expect(JSON.stringify(unchanged.blocks)).not.toContain('*east* was changed.');
});
