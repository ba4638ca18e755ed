import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'undici';
import { listen } from '../../playground/listen.ts';
import { readBody } from '../../playground/slack/http.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { WorkspacePerson } from '../../playground/slack/workspace.ts';

export type SlackProxy = {
  /** What the app is given as Slack's address. */
  apiUrl: string;
  /** A new response URL; `onAnswer` is called when its whole body has arrived. */
  issueUrl: (onAnswer: (body: string) => void) => string;
  close: () => Promise<void>;
};

const json = { 'content-type': 'application/json; charset=utf-8' };
const usersInfo = '/api/users.info';
const answersPath = '/answers/';

/**
 * A proxy in front of the local Slack. It answers the calls that every command makes: `users.info`,
 * with what the local Slack said about each person at the start, and response URLs. The local Slack
 * records and checks all that it gets, which would cost more than the commands that are measured.
 */
export async function startSlackProxy(
  slack: LocalSlack,
  { people, botToken }: { people: readonly WorkspacePerson[]; botToken: string },
): Promise<SlackProxy> {
  const authorization = `Bearer ${botToken}`;
  const described = new Map<string, string>();
  for (const { slackUserId } of people) {
    const { body } = await request(`${slack.url}${usersInfo}`, {
      method: 'POST',
      body: `user=${slackUserId}`,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    });
    described.set(slackUserId, await body.text());
  }
  const waiting = new Map<string, (body: string) => void>();
  let issued = 0;

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = incoming;
    const body = await readBody(incoming);
    if (url.startsWith(answersPath)) {
      const onAnswer = waiting.get(url);
      waiting.delete(url);
      onAnswer?.(body);
      response.writeHead(onAnswer ? 200 : 404, json).end(`{"ok":${onAnswer !== undefined}}`);
      return;
    }
    const known = described.get(/(?:^|&)user=(\w+)/.exec(body)?.[1] ?? '');
    if (url === usersInfo && known && headers.authorization === authorization) {
      response.writeHead(200, json).end(known);
      return;
    }
    const { 'content-type': type = '', authorization: given = '' } = headers;
    const passed = await request(`${slack.url}${url}`, {
      method: 'POST',
      body,
      headers: { 'content-type': type, authorization: given },
    });
    response.writeHead(passed.statusCode, json).end(await passed.body.text());
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.writeHead(500).end());
  });
  // Longer than any pause: a call must not meet a connection that is being closed.
  server.keepAliveTimeout = 600_000;
  const { baseUrl, close } = await listen(server, 0);
  return {
    apiUrl: `${baseUrl}/api/`,
    issueUrl(onAnswer) {
      issued += 1;
      const path = `${answersPath}${issued}`;
      waiting.set(path, onAnswer);
      return `${baseUrl}${path}`;
    },
    close,
  };
}
