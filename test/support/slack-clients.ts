import { createLogger } from '../../src/logger.ts';
import type { ClientOptions } from '../../src/slack/api/slack-client.ts';
import { createSlackClients, type SlackClients } from '../../src/slack/api/slack-clients.ts';

/** Clients with one token for every team, for rows of teams that the local Slack doesn't know. */
export function clientsWithToken(
  token: string,
  options: Partial<ClientOptions> = {},
): SlackClients {
  return createSlackClients({
    readToken: async () => ({ token, version: '1' }),
    options: { retryConfig: { retries: 0 }, fetch, ...options },
    log: createLogger('silent'),
  });
}
