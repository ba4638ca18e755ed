import { once } from 'node:events';
import { App, HTTPReceiver, LogLevel, type RespondArguments } from '@slack/bolt';
import { z } from 'zod';
import { peerOrders } from '../slack-load/messages.ts';

/**
 * Bare Bolt as a child process. It answers every command as Belay answers `/belay help`: acknowledges,
 * reads the person from Slack, and posts the same message to the response URL.
 */
process.once('disconnect', () => process.exit());
const [message] = await once(process, 'message');
const { apiUrl, botToken, signingSecret, answer } = peerOrders.parse(message);
const content: RespondArguments = z.custom<RespondArguments>().parse(JSON.parse(answer));

const logLevel = LogLevel.ERROR;
const receiver = new HTTPReceiver({ signingSecret, logLevel });
const clientOptions = { slackApiUrl: apiUrl };
const app = new App({ token: botToken, receiver, clientOptions, logLevel });
app.command('/belay', async ({ ack, command, client, respond }) => {
  await ack();
  await client.users.info({ user: command.user_id });
  await respond(content);
});
const server = await app.start(0);
const address = 'address' in server ? server.address() : null;
if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
