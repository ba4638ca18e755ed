import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { serve } from './serve.ts';

/** A span as it arrived, with its attributes by name. */
export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  attributes: Record<string, string>;
  hasFailed: boolean;
};

export type Collector = {
  endpoint: string;
  /** The bodies of all requests, as they arrived. */
  bodies: string[];
  spans: () => ReceivedSpan[];
};

/** A collector that takes OTLP with JSON, and ends with the test. `never` answers nothing. */
export async function startCollector(answer?: 'never'): Promise<Collector> {
  const bodies: string[] = [];
  const endpoint = await serve(async (request, response) => {
    bodies.push(await text(request));
    if (answer !== 'never') response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}');
  });
  return {
    endpoint,
    bodies,
    spans: () => bodies.flatMap((body) => requestSchema.parse(JSON.parse(body))),
  };
}

const value = z.looseObject({}).transform((one) => String(Object.values(one)[0]));
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((all) => Object.fromEntries(all.map((one) => [one.key, one.value])));

const span = z
  .object({
    traceId: z.string().length(32),
    spanId: z.string().length(16),
    parentSpanId: z.string().optional(),
    name: z.string(),
    attributes,
    status: z.object({ code: z.int().optional() }),
  })
  .transform(({ status, ...rest }) => ({ ...rest, hasFailed: status.code === 2 }));

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
const requestSchema = z
  .object({
    resourceSpans: z.array(
      z.object({
        resource: z.object({ attributes }),
        scopeSpans: z.array(z.object({ spans: z.array(span) })),
      }),
    ),
  })
  .transform(({ resourceSpans }) =>
    resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((one) => ({
          ...one,
          parentSpanId: one.parentSpanId,
          attributes: { ...resource.attributes, ...one.attributes },
        })),
      ),
    ),
  );
