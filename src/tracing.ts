import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/**
 * Spans by OpenTelemetry's API, which does nothing until start-tracing.ts registers an SDK. Names and
 * attributes hold only what the code knows: no ids of people, no addresses, no values of statements.
 */

/** A short id that a person can quote, and that finds the log line and the trace. */
export function newReference(): string {
  return randomBytes(4).toString('hex');
}

/** Runs `work` in a span. Of an error only its class is recorded: a message may quote people. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      setFailed(error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * The same for a call to another system, if it belongs to a trace: what Belay does without being
 * asked starts none.
 */
export function inCallSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!isTraced()) return work(undefined);
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, work);
}

/** Records a call that has ended just now, if it belongs to a trace. */
export function recordCall(
  name: string,
  { attributes, ms, failure }: { attributes: Attributes; ms: number; failure: string | undefined },
): void {
  if (!isTraced()) return;
  const startTime = performance.now() - ms;
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime });
  if (failure !== undefined) setFailed(failure, span);
  span.end();
}

/** Marks the span as failed: with a status or a code, or with the class of an error. */
export function setFailed(failure: unknown, span = trace.getActiveSpan()): void {
  const name = failure instanceof Error ? failure.name : 'unknown';
  span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.setAttribute('error.type', typeof failure === 'string' ? failure : name);
}

/** The reference that a person sees finds the trace by this attribute. */
export function addReference(reference: string): void {
  trace.getActiveSpan()?.setAttribute('belay.reference', reference);
}

export function isTraced(): boolean {
  return trace.getActiveSpan() !== undefined;
}

/** The current position in the trace, to be stored with work: https://www.w3.org/TR/trace-context/ */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !isSpanContextValid(span)) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}

/** Runs stored work in the trace that it was stored with; without one, in no trace. */
export function continueTrace<Result>(
  traceparent: string | null | undefined,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = parseTraceparent(traceparent ?? '');
  // Whatever woke this process up may belong to another trace.
  if (!parent) return context.with(ROOT_CONTEXT, work);
  return context.with(trace.setSpanContext(ROOT_CONTEXT, parent), () =>
    inSpan(name, { kind: SpanKind.CONSUMER }, work),
  );
}

function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}

/** Looked up each time: what is registered changes when Belay starts and stops. */
function tracer(): Tracer {
  return trace.getTracer('belay');
}
