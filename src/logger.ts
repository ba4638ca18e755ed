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
