import { z } from 'zod';

const milliseconds = z.number().nonnegative().max(600_000);

/** The request takes effect before the fault replaces its response. Any fault can have it. */
const common = { afterActing: z.boolean().optional() };

function kind<Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) {
  return z.strictObject({ kind: z.literal(name), ...common, ...shape });
}

/** Faults that replace the response. The request takes effect only with `afterActing`. */
const insteadKinds = [
  /** 200 with the HTML page of a gateway. */
  kind('html', {}),
  kind('status', {
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    /** Instead of the usual error object. */
    body: z.enum(['json', 'string-code', 'html', 'empty', 'cut-off', 'wrong-type']).optional(),
  }),
  /** 200 with an empty body. */
  kind('empty', {}),
  /** 200 with a JSON content type, but meaningless bytes. */
  kind('garbage', {}),
  kind('redirect', { location: z.string(), status: z.literal([301, 302, 307, 308]).optional() }),
  /** 429 for requests above the limit of the portal; others get their usual response. */
  kind('rate-limit', {
    perSecond: z.int().min(0),
    retryAfter: z.enum(['seconds', 'date', 'none']).optional(),
  }),
  /** No response until the client disconnects or the service stops. */
  kind('hang', {}),
  /** Resets the connection. */
  kind('reset', {}),
] as const;

/** Faults that delay or damage the real response. The request takes effect in any case. */
const spoilingKinds = [
  kind('slow', { delayMs: milliseconds }),
  /** No response until the fault is removed. */
  kind('held', {}),
  /** Half of the body, with a matching content length. */
  kind('cut-off', {}),
  kind('wrong-type', { contentType: z.string().optional() }),
  kind('drip', { bytesPerSecond: z.number().positive() }),
  kind('reset-mid-body', {}),
  /** Announces this many bytes more than it sends, or fewer if negative. */
  kind('wrong-length', { by: z.int() }),
] as const;

/** Faults of lists; other requests get their usual response. */
const listKinds = [
  kind('foreign-links', {
    origin: z.url(),
    style: z.enum(['absolute', 'protocol-relative', 'climbing']).optional(),
  }),
  /** The next link of every page leads to the same page. */
  kind('repeating-page', {}),
  /** There is always a next page, with new items. */
  kind('endless-list', {}),
  /**
   * After a page was read, its first item is removed or updated, or a new item inserted before it.
   */
  kind('changing-list', { change: z.enum(['insert', 'remove', 'update']) }),
] as const;

/** A failure of the service that a client has to survive. */
export const faultSchema = z.discriminatedUnion('kind', [
  ...insteadKinds,
  ...spoilingKinds,
  ...listKinds,
]);
export type Fault = z.infer<typeof faultSchema>;
type FaultKind = Fault['kind'];

export const faultMatchSchema = z.strictObject({
  portalId: z.string().optional(),
  method: z.string().optional(),
  pathPrefix: z.string().optional(),
  /** The number of requests it applies to; all by default. */
  times: z.int().positive().optional(),
});
export type FaultMatch = z.infer<typeof faultMatchSchema>;

/** The fault type of a kind. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;
