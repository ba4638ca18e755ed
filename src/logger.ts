import { trace } from '@opentelemetry/api';
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Logs JSON lines to stdout, or to `destination`. Redaction is a safety net: no call site may pass a
 * token, a message body or an e-mail address. A line within a trace names it, in OpenTelemetry's words.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: ['token', '*.token', 'authorization', '*.authorization', 'email', '*.email'],
    serializers: { err: (error: unknown) => describeError(error) },
    mixin: currentTrace,
  };
  return destination ? pino(options, destination) : pino(options);
}

/** https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/ */
function currentTrace(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
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

type FailureLog = {
  failed: (fields: object, message: string) => void;
  succeeded: () => void;
};

const failureLogIntervalMs = 60_000;

/**
 * A log for what may fail many times a minute, so that an outage or an attack doesn't flood it: at most
 * one failure a minute, with the number of those before it that were not logged, and its end.
 */
export function createFailureLog(log: Logger, level: 'warn' | 'error' = 'error'): FailureLog {
  let lastLineAt = -failureLogIntervalMs;
  let unlogged = 0;
  let isOpen = false;
  return {
    failed(fields, message) {
      const now = performance.now();
      if (now - lastLineAt < failureLogIntervalMs) {
        unlogged += 1;
        return;
      }
      log[level]({ ...fields, ...(unlogged > 0 && { failuresBefore: unlogged }) }, message);
      lastLineAt = now;
      unlogged = 0;
      isOpen = true;
    },
    succeeded() {
      if (isOpen) log.info({ failuresBefore: unlogged }, 'works again');
      isOpen = false;
    },
  };
}
