import { App, SocketModeReceiver } from '@slack/bolt';
import { WebAPIRequestError, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { slackErrorCode } from '../api/web-api-failure.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { fetchWithin } from './fetch-within.ts';
import { createSlackHttp } from './http-server.ts';

export type SlackSettings = {
  botToken: string;
  appToken: string | undefined;
  signingSecret: string | undefined;
  apiUrl: string | undefined;
};

export type SlackApp = {
  app: App;
  /** For work that no listener started. */
  slack: WebClient;
  /** More patient, for messages that nobody waits for: one that times out may arrive twice. */
  deliverySlack: WebClient;
  /** Starts to receive; resolves to the HTTP port, or undefined in Socket Mode. */
  start: (port: number, host: string) => Promise<number | undefined>;
  /** Takes nothing new and waits for the listeners that are still at work. */
  stop: () => Promise<void>;
};

/** How long Slack may take to answer. What delivers holds its channel for 30 s. */
const defaultPatience = { callMs: 5000, deliveryMs: 20_000 };

/**
 * Bolt, connected to one workspace by its bot token. `auth.test` runs here, so a wrong token stops
 * the start instead of the first command.
 * @throws with one line for the operator.
 */
export async function createSlackApp(
  settings: SlackSettings,
  {
    log,
    clock,
    patience = defaultPatience,
  }: { log: Logger; clock: Clock; patience?: typeof defaultPatience },
): Promise<SlackApp> {
  const logger = createBoltLogger(log);
  // Never retried by the client: a message that timed out may have been posted.
  const clientOptions = (timeout: number): WebClientOptions => ({
    logger,
    timeout,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: fetchWithin(timeout),
    ...(settings.apiUrl ? { slackApiUrl: settings.apiUrl } : {}),
  });
  const slack = new WebClient(settings.botToken, clientOptions(patience.callMs));
  const deliverySlack = new WebClient(settings.botToken, clientOptions(patience.deliveryMs));
  const installation = await slack.auth.test().catch((error: unknown) => {
    throw startFailure('SLACK_BOT_TOKEN', error);
  });
  const { team_id: teamId, user_id: botUserId, bot_id: botId } = installation;
  if (!teamId || !botUserId || !botId) throw new Error('Slack answered auth.test without ids');

  const http = settings.appToken
    ? undefined
    : createSlackHttp(settings.signingSecret ?? '', { log, clock });
  const receiver =
    http?.receiver ??
    new SocketModeReceiver({
      appToken: settings.appToken ?? '',
      logger,
      // Reconnecting is the one thing worth retrying for long, so the retry settings stay Slack's.
      installerOptions: {
        clientOptions: { ...(settings.apiUrl ? { slackApiUrl: settings.apiUrl } : {}) },
      },
    });
  const app = new App({
    receiver,
    logger,
    clientOptions: clientOptions(patience.callMs),
    deferInitialization: true,
    // One workspace: whatever a payload says about teams, this is the installation that answers.
    authorize: async () => ({ botToken: settings.botToken, botId, botUserId, teamId }),
  });
  await app.init();
  const underWay = new Set<Promise<void>>();
  app.use(async ({ next }) => {
    const work = next();
    underWay.add(work);
    await work.finally(() => underWay.delete(work));
  });

  return {
    app,
    slack,
    deliverySlack,
    async start(port, host) {
      if (http) return http.listen(port, host);
      await app.start().catch((error: unknown) => {
        throw startFailure('SLACK_APP_TOKEN', error);
      });
      return undefined;
    },
    async stop() {
      await (http ?? receiver).stop();
      await Promise.allSettled(underWay);
    },
  };
}

/** Says which variable to look at: the token that Slack refused, or the way to Slack. */
function startFailure(token: string, error: unknown): Error {
  const code = slackErrorCode(error);
  const line = code
    ? `${token}: Slack did not accept it (${code})`
    : `SLACK_API_URL: Slack cannot be reached: ${rootReason(error)}`;
  return new Error(line, { cause: error });
}

/** The innermost reason is the one that tells: ECONNREFUSED, not "fetch failed". */
function rootReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof WebAPIRequestError) return rootReason(error.original);
  return error.cause ? rootReason(error.cause) : error.message;
}
