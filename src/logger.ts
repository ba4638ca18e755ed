import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Logs JSON lines to stdout, or to `destination`. Redaction is a safety net: no call site may pass a
 * token, a message body or an e-mail address.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['token', '*.token', 'authorization', '*.authorization', 'email', '*.email'],
    serializers: { err: (error: unknown) => describeError(error) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Causes can be cyclic. */
const maxCauses = 5;

/** Without an error's own properties, which may contain a service's response or a Slack payload. */
function describeError(error: unknown, causesLeft = maxCauses): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const showsCause = cause !== undefined && causesLeft > 0;
  return {
    name,
    message,
    stack,
    ...(showsCause ? { cause: describeError(cause, causesLeft - 1) } : {}),
  };
}

export type FailureLog = {
  failed: (error: unknown, message: string) => void;
  succeeded: () => void;
};

const failureLogIntervalMs = 60_000;

/**
 * A log for what is tried many times a minute, so that an outage doesn't flood it: the first failure,
 * then one line a minute with the number of failures since the last line, and the first success.
 */
export function createFailureLog(log: Logger): FailureLog {
  let lastLineAt: number | undefined;
  let unlogged = 0;
  return {
    failed(error, message) {
      const now = performance.now();
      if (lastLineAt !== undefined && now - lastLineAt < failureLogIntervalMs) {
        unlogged += 1;
        return;
      }
      log.error({ err: error, ...(unlogged > 0 && { failuresBefore: unlogged }) }, message);
      lastLineAt = now;
      unlogged = 0;
    },
    succeeded() {
      if (lastLineAt === undefined) return;
      log.info({ failuresBefore: unlogged }, 'works again');
      lastLineAt = undefined;
      unlogged = 0;
    },
  };
}
