import { App, HTTPReceiver, type Installation, LogLevel } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { actAs } from '../../../../playground/act-as.ts';
import { openBrowser } from '../../../../playground/install-browser.ts';
import { misusedTokens } from '../../../../playground/slack/installations/misuses.ts';
import { sampleOrganization } from '../../../../playground/slack/more-workspaces.ts';
import { MIA, OLGA, PAUL, ROSA, type Several, startSeveral } from '../installations/several.ts';

/** A Bolt app that keeps its installations in memory and answers a command where it was given. */
const startBoltApp = async (
  at: Several,
  installations = new Map<string, Installation>(),
): Promise<string> => {
  const receiver = new HTTPReceiver({
    signingSecret: at.config.signingSecret,
    clientId: at.config.clientId,
    clientSecret: at.config.clientSecret,
    stateSecret: 'a secret for the state',
    scopes: ['commands', 'chat:write'],
    logLevel: LogLevel.ERROR,
    installerOptions: {
      authorizationUrl: `${at.slack.url}/oauth/v2/authorize`,
      clientOptions: { slackApiUrl: at.slack.apiUrl },
    },
    installationStore: {
      storeInstallation: async (installation) => {
        const { team, enterprise } = installation;
        const target = installation.isEnterpriseInstall ? enterprise : team;
        installations.set(target?.id ?? '', installation);
      },
      fetchInstallation: async (query) => {
        const id = query.isEnterpriseInstall ? query.enterpriseId : query.teamId;
        const found = installations.get(id ?? '');
        if (!found) throw new Error('The app is not installed there.');
        return found;
      },
    },
  });
  const app = new App({
    receiver,
    deferInitialization: true,
    clientOptions: { slackApiUrl: at.slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  app.command('/belay', async ({ ack, client, body }) => {
    await ack();
    await client.chat.postMessage({ channel: body.channel_id, text: `Hello, ${body.user_name}.` });
  });
  await app.init();
  const address = (await receiver.start({ port: 0, host: '127.0.0.1' })).address();
  if (typeof address !== 'object' || !address) throw new Error('The receiver has no port.');
  onTestFinished(async () => {
    await receiver.stop();
  });
  const origin = `http://127.0.0.1:${address.port}`;
  at.slack.connectApp(`${origin}/slack/events`);
  at.config.redirectUrls = [`${origin}/slack/oauth_redirect`];
  return origin;
};

test("Slack's own framework installs, refreshes its tokens and answers in the right workspace", async () => {
  const at = await startSeveral((app) => {
    app.rotatesTokens = true;
  });
  const installations = new Map<string, Installation>();
  const publicUrl = await startBoltApp(at, installations);
  for (const [targetId, admin] of [
    [at.second.teamId, OLGA],
    [at.third.teamId, ROSA],
  ] as const) {
    const { status } = await openBrowser({ slack: at.slack, publicUrl }).install(targetId, admin);
    expect(status).toBe(200);
  }
  const mia = actAs(at.slack.workspace(at.second.teamId), MIA);
  const paul = actAs(at.slack.workspace(at.third.teamId), PAUL);
  await mia.send('ops', '/belay');
  await paul.send('ops', '/belay');
  await mia.seeMessage('Hello, mia-rossi.');
  await paul.seeMessage('Hello, paul-nowak.');

  for (const { bot } of installations.values()) if (bot) bot.expiresAt = 1;
  await mia.send('ops', '/belay');
  await paul.send('ops', '/belay');
  expect(at.slack.refreshes).toMatchObject([
    { targetId: at.second.teamId, attempt: 1, result: 'rotated' },
    { targetId: at.third.teamId, attempt: 1, result: 'rotated' },
  ]);
  expect(misusedTokens(at.slack.calls)).toEqual([]);
});

test("Slack's own framework works with an organization's installation", async () => {
  const at = await startSeveral(undefined, { organization: sampleOrganization });
  const publicUrl = await startBoltApp(at);
  const { status } = await openBrowser({ slack: at.slack, publicUrl }).install('E0GROUP001', OLGA);
  expect(status).toBe(200);
  const paul = actAs(at.slack.workspace(at.third.teamId), PAUL);
  await paul.send('ops', '/belay');
  await paul.seeMessage('Hello, paul-nowak.');
});
