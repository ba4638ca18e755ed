import { expect, test } from 'vitest';
import { ask, fillForm, heardBack } from '../support/ask.ts';
import { startWorld } from '../support/world.ts';

const reason = { reason: { input: 'canary-reason: left for a rival' } };

test('no log line contains a token, an address or a reason, even after failures', async () => {
  const { ana, ben, slack, service, portal, env, logged } = await startWorld();
  const command = '/belay disable ana.silva@example.com';

  await ben.press(await ask(ana, command, reason), 'Approve');
  await heardBack(ana);

  await ben.press(await ask(ana, '/belay enable ana.silva@example.com', reason), 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'canary-denial' },
  });
  await heardBack(ana, 2);

  const failing = await ask(ana, '/belay delete joana.prado@example.com', {
    ...reason,
    email: { input: 'joana.prado@example.com' },
  });
  service.setFault({ kind: 'status', status: 400 }, { method: 'PATCH' });
  slack.failNext('chat.update', 'message_not_found');
  await ben.press(failing, 'Approve');
  await heardBack(ana, 3);

  slack.failNext('chat.postMessage', 'fatal_error');
  await fillForm(ana, '/belay disable kim.lee.contractor@example.com', reason);
  await ana.seeMessage('Something went wrong in Belay.');
  service.setFault({ kind: 'html' });
  await ana.send('ops', '/belay users canary.search@example.com');
  await ana.seeMessage('A proxy or a maintenance page may have answered in its place.');

  expect(logged.filter((line) => line.includes('"level":50')).length).toBeGreaterThanOrEqual(3);
  const secrets = [
    portal.token,
    env.SLACK_BOT_TOKEN,
    env.SLACK_SIGNING_SECRET,
    env.BELAY_ENCRYPTION_KEYS,
    'canary',
    '@example.com',
    '%40example.com',
    '@harbor.example',
  ];
  for (const secret of secrets) {
    expect(logged.filter((line) => line.includes(secret ?? 'unset'))).toEqual([]);
  }
});
