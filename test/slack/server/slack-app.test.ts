import { expect, it, onTestFinished } from 'vitest';
import { actAs } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace, type Workspace } from '../../../playground/slack/workspace.ts';
import { systemClock } from '../../../src/clock.ts';
import { createLogger } from '../../../src/logger.ts';
import {
  isOutcomeUnknown,
  isRateLimited,
  retryAfterMs,
} from '../../../src/slack/api/error-codes.ts';
import {
  createSlackApp,
  readTokenTeam,
  type SlackSettings,
} from '../../../src/slack/server/slack-app.ts';
import { serve } from '../../support/serve.ts';
import { startWorld } from '../../support/world.ts';
import { startSlowSlack } from './slow-slack.ts';

async function localSlack(): Promise<{ slack: LocalSlack; workspace: Workspace }> {
  const workspace = createWorkspace();
  const slack = await startLocalSlack({ workspace });
  onTestFinished(() => slack.close());
  return { slack, workspace };
}

function settingsFor(slack: LocalSlack, workspace: Workspace): SlackSettings {
  const { signingSecret } = workspace.app;
  return { signingSecret, appToken: undefined, apiUrl: slack.apiUrl };
}

const log = createLogger('silent');
const dependencies = { log, clock: systemClock };
const readToken = async () => ({ token: createWorkspace().app.botToken, version: '1' });

it('names the token that Slack refused', async () => {
  const { slack, workspace } = await localSlack();
  const settings = settingsFor(slack, workspace);
  const { apiUrl } = settings;
  const wrongBot = readTokenTeam({ botToken: 'xoxb-other', apiUrl }, log);
  await expect(wrongBot).rejects.toThrow(
    /^SLACK_BOT_TOKEN: Slack rejected the token \(invalid_auth\)$/,
  );
  const app = await createSlackApp(
    { ...settings, appToken: 'xapp-other' },
    readToken,
    dependencies,
  );
  await expect(app.start(0, '127.0.0.1')).rejects.toThrow(
    /^SLACK_APP_TOKEN: Slack rejected the token \(invalid_auth\)$/,
  );
});

it('reports that Slack cannot be reached, and why', async () => {
  const { slack, workspace } = await localSlack();
  const { apiUrl } = settingsFor(slack, workspace);
  await slack.close();
  await expect(readTokenTeam({ botToken: workspace.app.botToken, apiUrl }, log)).rejects.toThrow(
    /^SLACK_API_URL: can't reach Slack: .*ECONNREFUSED/,
  );
});

it('reports a host that does not belong to this machine', async () => {
  const { slack, workspace } = await localSlack();
  const app = await createSlackApp(settingsFor(slack, workspace), readToken, dependencies);
  await expect(app.start(0, '203.0.113.1')).rejects.toThrow(/^HOST, PORT: .*203\.0\.113\.1/);
});

it('has a longer timeout for deliveries', async () => {
  const { apiUrl, answer } = await startSlowSlack();
  const { signingSecret } = createWorkspace().app;
  const { clients, deliveryClients } = await createSlackApp(
    { signingSecret, appToken: undefined, apiUrl },
    readToken,
    { ...dependencies, timeouts: { callMs: 500, deliveryMs: 20_000 } },
  );
  const message = { channel: 'C1', text: 'one' };
  const slack = await clients.clientFor('T1');
  const deliverySlack = await deliveryClients.clientFor('T1');
  const delivered = deliverySlack.chat.postMessage(message);
  const failure = await slack.chat.postMessage(message).catch((error: unknown) => error);
  expect(isOutcomeUnknown(failure)).toBe(true);
  answer();
  expect(await delivered).toMatchObject({ ok: true });
});

it('waits for running listeners when it stops', async () => {
  const { slack, workspace } = await localSlack();
  const { app, start, stop } = await createSlackApp(
    settingsFor(slack, workspace),
    readToken,
    dependencies,
  );
  const begun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const events: string[] = [];
  app.command('/belay', async ({ ack }) => {
    await ack();
    begun.resolve();
    await mayEnd.promise;
    events.push('the listener ended');
  });
  const port = await start(0, '127.0.0.1');
  slack.connectApp(`http://127.0.0.1:${port}/slack/events`);
  const ana = actAs(slack, people.ana);
  expect(await ana.send('ops', '/belay')).toEqual({ result: 'ok' });
  await begun.promise;

  const stopped = stop().then(() => events.push('stopped'));
  expect(await ana.send('ops', '/belay')).toEqual({ result: 'dispatch_failed' });
  mayEnd.resolve();
  await stopped;
  expect(events).toEqual(['the listener ended', 'stopped']);
});

it('responds to running commands before it stops', async () => {
  const { ana, belay, service } = await startWorld();
  service.setFault({ kind: 'slow', delayMs: 1500 }, { times: 1 });
  const asked = service.requests.length;
  expect(await ana.send('ops', '/belay users ana')).toEqual({ result: 'ok' });
  await belay.stop();
  expect(service.requests.length).toBeGreaterThan(asked);
  await ana.seeMessage('ana.');
});

it('handles commands, buttons and forms in Socket Mode', async () => {
  const { ana, service, belay } = await startWorld({ socketMode: true });
  expect(belay.port).toBeUndefined();
  expect(await ana.send('ops', '/belay help')).toEqual({ result: 'ok' });
  await ana.seeMessage('/belay alerts');

  const user = service.users(service.portals[0]?.id ?? '').find(({ email }) => email);
  await ana.send('ops', `/belay users ${user?.email}`);
  const card = await ana.seeMessage(/Disable…?"/);
  await ana.press(card, 'Disable…');
  const form = await ana.seeDialog('Reason');
  await ana.submit(form, { reason: { input: 'left the company' } });
  await ana.seeMessage('Request sent to');
});

it.each([
  ['none', {}],
  ['a date', { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }],
])('treats a 429 without valid seconds (%s) as rate limiting', async (_, headers) => {
  const apiUrl = await serve((_request, response) => response.writeHead(429, headers).end('busy'));
  const settings = { appToken: undefined, signingSecret: 's', apiUrl: `${apiUrl}/` };
  const { deliveryClients } = await createSlackApp(settings, readToken, dependencies);
  const { chat } = await deliveryClients.clientFor('T1');
  const posted = chat.postMessage({ channel: 'C1', text: 'one' });
  const error = await posted.catch((thrown: unknown) => thrown);
  expect([isOutcomeUnknown(error), isRateLimited(error), retryAfterMs(error)]).toEqual([
    ...[false, true, 10_000],
  ]);
});
