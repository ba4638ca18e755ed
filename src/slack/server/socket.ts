import { setTimeout as sleep } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import { createFailureLog, type Logger } from '../../logger.ts';
import { retryAfterMs, slackErrorCode } from '../api/error-codes.ts';
import { clientOptions, createSlackLogger } from '../api/slack-client.ts';

export type SlackSocket = ReturnType<typeof createSlackSocket>;

/** Milliseconds. Together they reconnect within 30 s of Slack's return, however long it was away. */
const defaultTimings = {
  callMs: 5000,
  /** From the first call to Slack's hello. */
  connectMs: 10_000,
  /** How long Slack may take to answer a close frame. */
  closeMs: 2000,
  firstWaitMs: 1000,
  maxWaitMs: 15_000,
  /** A connection that lasted for less counts as a failure. */
  stableMs: 30_000,
};

type Connection = { openedAt: number; closed: Promise<void> };

/**
 * Slack's socket, kept open. The client's own reconnection is off: its waits grow without a limit, and
 * it rejects promises that nobody handles. https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export function createSlackSocket(
  { appToken, apiUrl }: { appToken: string; apiUrl: string | undefined },
  { log, timings = defaultTimings }: { log: Logger; timings?: typeof defaultTimings },
) {
  const receiver = new SocketModeReceiver({
    appToken,
    logger: createSlackLogger(log),
    autoReconnectEnabled: false,
    installerOptions: { clientOptions: clientOptions({ log, apiUrl }, timings.callMs) },
  });
  const { client } = receiver;
  const failureLog = createFailureLog(log);
  const stopping = new AbortController();
  let isConnected = false;
  let running: Promise<void> | undefined;
  client.on('connected', () => {
    isConnected = true;
  });
  client.on('disconnected', () => {
    isConnected = false;
  });

  async function connect(): Promise<Connection> {
    const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
    try {
      // The client rejects without an error if the socket closes before Slack's hello.
      const opened = client.start().catch((error: unknown) => {
        throw error ?? new Error('Slack closed the socket before its hello');
      });
      await within(timings.connectMs, opened);
      return { openedAt: performance.now(), closed };
    } catch (error) {
      await disconnect();
      throw error;
    }
  }

  async function disconnect(): Promise<void> {
    await within(timings.closeMs, client.disconnect()).catch(() => undefined);
  }

  /** Returns only after `stop`. */
  async function stayConnected(first: Connection): Promise<void> {
    let connection: Connection | undefined = first;
    let failures = 0;
    let waitMs = 0;
    while (!stopping.signal.aborted) {
      if (connection) {
        await connection.closed;
        const isStable = performance.now() - connection.openedAt >= timings.stableMs;
        failures = isStable ? 0 : failures + 1;
        waitMs = isStable ? 0 : waitAfter(failures);
        connection = undefined;
      }
      await sleep(waitMs, undefined, stopping).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        connection = await connect();
        failureLog.succeeded();
      } catch (error) {
        failures += 1;
        waitMs = retryAfterMs(error) ?? waitAfter(failures);
        const code = slackErrorCode(error);
        if (code) failureLog.failed({ code }, 'Slack refused SLACK_APP_TOKEN; no requests arrive');
        else failureLog.failed({ err: error }, "can't reach Slack; no requests arrive");
      }
    }
    await disconnect();
  }

  /** Doubles up to the limit; at random a little less, so that processes don't return all at once. */
  function waitAfter(failures: number): number {
    const ms = Math.min(timings.firstWaitMs * 2 ** (failures - 1), timings.maxWaitMs);
    return ms * (1 - Math.random() / 4);
  }

  return {
    receiver,
    /** Connects, and reconnects until `stop`. @throws if the first connection fails. */
    async start(): Promise<undefined> {
      running = stayConnected(await connect());
      return undefined;
    },
    isReceiving: () => isConnected,
    async stop(): Promise<void> {
      stopping.abort();
      await disconnect();
      await within(timings.closeMs, running).catch(() => undefined);
    },
  };
}

/** @throws if the promise takes longer. */
async function within<T>(ms: number, promise: Promise<T> | undefined): Promise<T | undefined> {
  const { promise: late, reject } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => reject(new Error(`Slack did not answer for ${ms} ms`)), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
