import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * JSON lines on stdout, or on `destination`. Redaction is a second net: no call site may hand a
 * token, a message body or an e-mail address to the log in the first place.
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

/** As deep as causes are followed; an error may even cause itself. */
const causesShown = 5;

/** An error's own properties stay out: they may hold a service's wording or a Slack payload. */
function describeError(error: unknown, causesLeft = causesShown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const isShown = cause !== undefined && causesLeft > 0;
  return {
    name,
    message,
    stack,
    ...(isShown ? { cause: describeError(cause, causesLeft - 1) } : {}),
  };
}
