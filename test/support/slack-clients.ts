import type { WebClientOptions } from '@slack/web-api';
import { createLogger } from '../../src/logger.ts';
import { createSlackClients, type SlackClients } from '../../src/slack/api/slack-clients.ts';

/** Clients with one token for every team, for rows of teams that the local Slack doesn't know. */
export function clientsWithToken(token: string, options: WebClientOptions = {}): SlackClients {
  return createSlackClients({
    readToken: async () => ({ token, version: '1' }),
    options: { retryConfig: { retries: 0 }, ...options },
    log: createLogger('silent'),
  });
}
