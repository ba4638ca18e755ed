import { SpanKind } from '@opentelemetry/api';
import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { WebAPIRequestError, WebClient } from '@slack/web-api';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { inSpan } from '../../tracing.ts';
import { slackErrorCode } from '../api/error-codes.ts';
import {
  type ClientOptions,
  clientOptions,
  createSlackLogger,
  deliveryTimeoutMs,
  type SlackCall,
} from '../api/slack-client.ts';
import { createSlackClients, type ReadBotToken } from '../api/slack-clients.ts';
import { createSlackHttp } from './http-server.ts';
import type { Pages } from './page.ts';
import { createSlackSocket } from './socket.ts';

export type SlackSettings = {
  appToken: string | undefined;
  signingSecret: string | undefined;
  apiUrl: string | undefined;
};

type SlackObserver = {
  acknowledged: (acknowledgment: Acknowledgment) => void;
  slackCalled: (call: SlackCall) => void;
};

/** How long Slack may take to answer. */
const defaultTimeouts = { callMs: 5000, deliveryMs: deliveryTimeoutMs };

type SlackAppOptions = {
  log: Logger;
  clock: Clock;
  observer?: SlackObserver | undefined;
  /** Served on the HTTP port. */
  pages?: Pages | undefined;
  onTokenRefused?: ((teamId: string) => void) | undefined;
  timeouts?: typeof defaultTimeouts;
};

/**
 * Bolt over HTTP or, with an app token, Socket Mode. Bolt itself has no token: listeners ask for the
 * client of their caller's workspace, once they have acknowledged.
 * @param readToken the bot token of a workspace
 * @throws Error with one line for the operator: which variable is wrong, and why
 */
export async function createSlackApp(
  settings: SlackSettings,
  readToken: ReadBotToken,
  { log, clock, observer, pages, onTokenRefused, timeouts = defaultTimeouts }: SlackAppOptions,
) {
  const { appToken, signingSecret, apiUrl } = settings;
  const optionsFor = (timeoutMs: number) =>
    clientOptions({ log, apiUrl, onCall: observer?.slackCalled }, timeoutMs);
  const clientsWith = (options: ClientOptions) =>
    createSlackClients({ readToken, options, onTokenRefused, log });
  const server = appToken
    ? createSlackSocket({ appToken, apiUrl }, { log })
    : createSlackHttp(signingSecret ?? '', { log, clock, pages });
  const app: App = new TimedApp(
    {
      receiver: server.receiver,
      logger: createSlackLogger(log),
      clientOptions: optionsFor(timeouts.callMs),
      deferInitialization: true,
      // Nothing is stored there, and Bolt would look it up for each request.
      convoStore: false,
      authorize: async () => ({}),
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
    clients: clientsWith(optionsFor(timeouts.callMs)),
    /** For messages nobody waits for. */
    deliveryClients: clientsWith(optionsFor(timeouts.deliveryMs)),
    /** Starts to receive. Resolves to the HTTP port, or to undefined in Socket Mode. */
    start: (port: number, host: string) =>
      server.start(port, host).catch((error: unknown) => {
        throw appToken ? startFailure('SLACK_APP_TOKEN', error) : error;
      }),
    /** Whether Slack's requests arrive: the server listens, or the socket is connected. */
    isReceiving: server.isReceiving,
    /** Stops receiving and waits for running listeners. */
    async stop(): Promise<void> {
      await server.stop();
      await Promise.allSettled(running);
    },
  };
}

/** The workspace of a bot token. @throws Error with one line for the operator */
export async function readTokenTeam(
  { botToken, apiUrl }: { botToken: string; apiUrl: string | undefined },
  log: Logger,
): Promise<string> {
  const options = clientOptions({ log, apiUrl }, defaultTimeouts.callMs);
  const installed = await new WebClient(botToken, options).auth.test().catch((error: unknown) => {
    throw startFailure('SLACK_BOT_TOKEN', error);
  });
  const { team_id: teamId, is_enterprise_install: isOrganization } = installed;
  if (isOrganization) {
    throw new Error(
      "SLACK_BOT_TOKEN: this token belongs to an organization's installation; install Belay in a workspace and use the token that belongs to it",
    );
  }
  if (!teamId) throw new Error('Slack answered auth.test without a team id');
  return teamId;
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

/** How long Slack waited for the acknowledgment of a request. Slack shows an error after 3 s. */
type Acknowledgment = { kind: 'command' | 'action' | 'submission' | 'other'; ms: number };

/**
 * Bolt's App, which reports every acknowledgment, whether it received by HTTP or a socket, and begins
 * a trace with each request. What nothing has acknowledged is acknowledged at the end: a kind that Belay
 * doesn't handle, and a payload that Bolt can't read. Slack would wait for 3 s, then send it again.
 */
class TimedApp extends App {
  readonly #onAcknowledged: ((acknowledgment: Acknowledgment) => void) | undefined;

  constructor(
    options: AppOptions,
    onAcknowledged: ((acknowledgment: Acknowledgment) => void) | undefined,
  ) {
    super(options);
    this.#onAcknowledged = onAcknowledged;
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    const kind = kindOf(event.body);
    const receivedAt = performance.now();
    return inSpan(`Slack ${kind}`, { kind: SpanKind.SERVER, root: true }, async (span) => {
      let isAcknowledged = false;
      const ack: ReceiverEvent['ack'] = async (response) => {
        isAcknowledged = true;
        await event.ack(response);
        span.addEvent('acknowledged');
        this.#onAcknowledged?.({ kind, ms: performance.now() - receivedAt });
      };
      try {
        await super.processEvent({ ...event, ack });
      } catch (error) {
        // An acknowledgment would close the form as if it had been handled; without it, Slack says that
        // something went wrong.
        if (kind === 'submission') isAcknowledged = true;
        throw error;
      } finally {
        if (!isAcknowledged) await ack();
      }
    });
  }
}

function kindOf({ command, type }: ReceiverEvent['body']): Acknowledgment['kind'] {
  if (typeof command === 'string') return 'command';
  if (type === 'block_actions') return 'action';
  return type === 'view_submission' ? 'submission' : 'other';
}
