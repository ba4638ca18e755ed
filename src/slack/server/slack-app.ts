import type { App } from '@slack/bolt';
import { WebAPIRequestError, WebClient } from '@slack/web-api';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { slackErrorCode } from '../api/error-codes.ts';
import {
  clientOptions,
  createSlackLogger,
  type SlackCall,
  type SlackClient,
} from '../api/slack-client.ts';
import { createSlackHttp } from './http-server.ts';
import { createSlackSocket } from './socket.ts';
import { type Acknowledgment, TimedApp } from './timed-app.ts';

export type SlackSettings = {
  botToken: string;
  appToken: string | undefined;
  signingSecret: string | undefined;
  apiUrl: string | undefined;
};

export type SlackApp = {
  app: App;
  /** For calls outside listeners. */
  slack: SlackClient;
  /** For messages nobody waits for. Its timeout is longer: one that times out may arrive twice. */
  deliverySlack: SlackClient;
  /** Starts to receive. Resolves to the HTTP port, or to undefined in Socket Mode. */
  start: (port: number, host: string) => Promise<number | undefined>;
  /** Whether Slack's requests arrive: the server listens, or the socket is connected. */
  isReceiving: () => boolean;
  /** Stops receiving and waits for running listeners. */
  stop: () => Promise<void>;
};

export type SlackObserver = {
  acknowledged: (acknowledgment: Acknowledgment) => void;
  slackCalled: (call: SlackCall) => void;
};

/** How long Slack may take to answer. A delivery holds the lease of its channel for 30 s. */
const defaultTimeouts = { callMs: 5000, deliveryMs: 20_000 };

/**
 * Bolt for one workspace, over HTTP or, with an app token, Socket Mode. `auth.test` runs here, so
 * that a wrong token stops the start instead of the first command.
 * @throws Error with one line for the operator: which variable is wrong, and why
 */
export async function createSlackApp(
  settings: SlackSettings,
  {
    log,
    clock,
    observer,
    timeouts = defaultTimeouts,
  }: {
    log: Logger;
    clock: Clock;
    observer?: SlackObserver | undefined;
    timeouts?: typeof defaultTimeouts;
  },
): Promise<SlackApp> {
  const { botToken, appToken, signingSecret, apiUrl } = settings;
  const logger = createSlackLogger(log);
  const calls = { logger, apiUrl, onCall: observer?.slackCalled };
  const callOptions = clientOptions(calls, timeouts.callMs);
  const slack = new WebClient(botToken, callOptions);
  const deliverySlack = new WebClient(botToken, clientOptions(calls, timeouts.deliveryMs));
  const installation = await slack.auth.test().catch((error: unknown) => {
    throw startFailure('SLACK_BOT_TOKEN', error);
  });
  const { team_id: teamId, user_id: botUserId, bot_id: botId } = installation;
  if (!teamId || !botUserId || !botId) throw new Error('Slack answered auth.test without ids');

  const server = appToken
    ? createSlackSocket({ appToken, apiUrl }, { log })
    : createSlackHttp(signingSecret ?? '', { log, clock });
  const app = new TimedApp(
    {
      receiver: server.receiver,
      logger,
      clientOptions: callOptions,
      deferInitialization: true,
      // There is one installation, whichever team a payload names.
      authorize: async () => ({ botToken, botId, botUserId, teamId }),
    },
    observer?.acknowledged,
  );
  await app.init();
  const running = new Set<Promise<void>>();
  app.use(async ({ next }) => {
    const work = next();
    running.add(work);
    await work.finally(() => running.delete(work));
  });

  return {
    app,
    slack,
    deliverySlack,
    start: (port, host) =>
      server.start(port, host).catch((error: unknown) => {
        throw appToken ? startFailure('SLACK_APP_TOKEN', error) : error;
      }),
    isReceiving: server.isReceiving,
    async stop() {
      await server.stop();
      await Promise.allSettled(running);
    },
  };
}

/** Names the variable to check: the token that Slack refused, or the address of its API. */
function startFailure(token: string, error: unknown): Error {
  const code = slackErrorCode(error);
  const line = code
    ? `${token}: Slack rejected the token (${code})`
    : `SLACK_API_URL: can't reach Slack: ${rootMessage(error)}`;
  return new Error(line, { cause: error });
}

/** The innermost error is the informative one: ECONNREFUSED, not "fetch failed". */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof WebAPIRequestError) return rootMessage(error.original);
  return error.cause ? rootMessage(error.cause) : error.message;
}
