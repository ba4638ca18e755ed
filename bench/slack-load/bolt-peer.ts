import { once } from 'node:events';
import { App, HTTPReceiver, LogLevel, type RespondArguments } from '@slack/bolt';
import { z } from 'zod';
import { boltOptions } from './messages.ts';

/**
 * Bare Bolt as a child process, which does by hand what Belay does for a command: acknowledges, reads
 * the person from Slack, calls the service if it is given calls, and posts Belay's own answer to the
 * response URL.
 */
process.once('disconnect', () => process.exit());
const [message] = await once(process, 'message');
const { apiUrl, botToken, signingSecret, answer, service } = boltOptions.parse(message);
const content: RespondArguments = z.custom<RespondArguments>().parse(JSON.parse(answer));
const callService = service && (await createServiceCalls(service));

const logLevel = LogLevel.ERROR;
const receiver = new HTTPReceiver({ signingSecret, logLevel });
const clientOptions = { slackApiUrl: apiUrl };
const app = new App({ token: botToken, receiver, clientOptions, logLevel });
app.command('/belay', async ({ ack, command, client, respond }) => {
  await ack();
  await client.users.info({ user: command.user_id });
  await callService?.();
  await respond(content);
});
const server = await app.start(0);
const address = 'address' in server ? server.address() : null;
if (address !== null && typeof address === 'object') process.send?.({ port: address.port });

/** Loads undici only if it is used, because that replaces the dispatcher of `fetch`. */
async function createServiceCalls({ baseUrl, headers, paths }: NonNullable<typeof service>) {
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent();
  return async () => {
    // One after the other, as Belay reads a list backward: each page names the one before it.
    for (const path of paths) {
      const { body } = await request(`${baseUrl}${path}`, { dispatcher, headers });
      JSON.parse(await body.text());
    }
  };
}
