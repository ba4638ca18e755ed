import { setTimeout as sleep } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Config } from './config.ts';
import { createFailureLog, type Logger } from './logger.ts';
import { version } from './version.ts';

type Tracing = {
  /** Exports what is left, and gives up in time: traces must not make a shutdown fail. */
  stop: (remainingMs: number) => Promise<void>;
};

/** How long the shutdown waits for a collector that doesn't answer. */
const maxFlushMs = 2000;

/**
 * Exports traces to a collector, over OTLP with JSON. Only here is the SDK loaded, and only if it is
 * configured; it reads the standard variables for headers, timeouts and resource attributes itself.
 * Spans wait in a bounded queue (2048) and are dropped when the collector can't be reached.
 */
export async function startTracing(config: Config['tracing'], log: Logger): Promise<Tracing> {
  if (!config) return { stop: async () => undefined };
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ]);
  const detectors = [resources.resourceAttributesEnvDetector, resources.serviceNameEnvDetector];
  const exporter = reportFailures(new OTLPTraceExporter({ url: config.url }), log);
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'belay', 'service.version': version })
      .merge(resources.detectResources({ detectors })),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(config.sampleRatio),
    }),
    spanLimits: { attributeValueLengthLimit: 2000 },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);

  return {
    async stop(remainingMs) {
      trace.disable();
      context.disable();
      // The exporter's failures are logged where they occur.
      const flushed = provider.shutdown().catch(() => undefined);
      const giveUp = new AbortController();
      const limit = sleep(Math.min(remainingMs, maxFlushMs), undefined, giveUp);
      await Promise.race([flushed, limit]);
      giveUp.abort();
    },
  };
}

/** Logs an outage of the collector with a line a minute at most, and its end. */
function reportFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  const failures = createFailureLog(log.child({ from: 'traces' }), 'warn');
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        if (result.error) failures.failed({ err: result.error }, 'traces could not be exported');
        else failures.succeeded();
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
