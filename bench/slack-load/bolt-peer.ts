import { once } from 'node:events';
import { App, HTTPReceiver, LogLevel, type RespondArguments } from '@slack/bolt';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { peerOrders } from './messages.ts';

/**
 * Bare Bolt as a child process, which does by hand what Belay does for a command: acknowledges, reads
 * the person from Slack, calls the service if it is given calls, and posts Belay's own answer to the
 * response URL.
 */
process.once('disconnect', () => process.exit());
const [message] = await once(process, 'message');
const { apiUrl, botToken, signingSecret, answer, service } = peerOrders.parse(message);
const content: RespondArguments = z.custom<RespondArguments>().parse(JSON.parse(answer));
const dispatcher = new Agent();

const logLevel = LogLevel.ERROR;
const receiver = new HTTPReceiver({ signingSecret, logLevel });
const clientOptions = { slackApiUrl: apiUrl };
const app = new App({ token: botToken, receiver, clientOptions, logLevel });
app.command('/belay', async ({ ack, command, client, respond }) => {
  await ack();
  await client.users.info({ user: command.user_id });
  // One after the other, as Belay reads a list backward: each page names the one before it.
  for (const path of service?.paths ?? []) {
    const { body } = await request(`${service?.baseUrl}${path}`, {
      dispatcher,
      headers: service?.headers ?? {},
    });
    JSON.parse(await body.text());
  }
  await respond(content);
});
const server = await app.start(0);
const address = 'address' in server ? server.address() : null;
if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
