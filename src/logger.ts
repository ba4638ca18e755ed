import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * JSON lines on stdout, or on `destination`. The redaction is a second net: no call site may hand
 * a token, a message body or an e-mail address to the log in the first place.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['token', '*.token', 'authorization', '*.authorization', 'email', '*.email'],
  };
  return destination ? pino(options, destination) : pino(options);
}
