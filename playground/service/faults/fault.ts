import { z } from 'zod';

const milliseconds = z.number().nonnegative().max(600_000);

/** The request is acted on first, and the fault spoils the answer. Told of every fault. */
const common = { afterActing: z.boolean().optional() };

function kind<Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) {
  return z.strictObject({ kind: z.literal(name), ...common, ...shape });
}

/** In place of the answer. The request is acted on only with `afterActing`. */
const insteadKinds = [
  /** A gateway's page: 200, but HTML. */
  kind('html', {}),
  kind('status', {
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    /** In place of the usual error object. */
    body: z.enum(['json', 'string-code', 'html', 'empty', 'cut-off', 'wrong-type']).optional(),
  }),
  /** 200 without a body. */
  kind('empty', {}),
  /** 200 and JSON by its header, but bytes that mean nothing. */
  kind('garbage', {}),
  kind('redirect', { location: z.string(), status: z.literal([301, 302, 307, 308]).optional() }),
  /** 429 for what exceeds so many a second and portal; the rest is answered as usual. */
  kind('rate-limit', {
    perSecond: z.int().min(0),
    retryAfter: z.enum(['seconds', 'date', 'none']).optional(),
  }),
  /** No answer until the client or the service goes. */
  kind('hang', {}),
  /** The connection breaks. */
  kind('reset', {}),
] as const;

/** The true answer, late or made worse. The request is acted on in any case. */
const spoilingKinds = [
  kind('slow', { delayMs: milliseconds }),
  /** Half of the body, with the length of that half. */
  kind('cut-off', {}),
  kind('wrong-type', { contentType: z.string().optional() }),
  kind('drip', { bytesPerSecond: z.number().positive() }),
  kind('reset-mid-body', {}),
  /** Announces so many bytes more than it sends, or fewer if negative. */
  kind('wrong-length', { by: z.int() }),
] as const;

/** Lists that lead astray; whatever is no list is answered as usual. */
const listKinds = [
  kind('foreign-links', {
    origin: z.url(),
    style: z.enum(['absolute', 'protocol-relative', 'climbing']).optional(),
  }),
  /** The next page of each page is that page. */
  kind('repeating-page', {}),
  /** There is always another page, with items not seen before. */
  kind('endless-list', {}),
  /** After a page was read, its first item is removed or changed, or a new one put before it. */
  kind('changing-list', { change: z.enum(['insert', 'remove', 'update']) }),
] as const;

/** Ways in which a service disappoints its clients. */
export const faultSchema = z.discriminatedUnion('kind', [
  ...insteadKinds,
  ...spoilingKinds,
  ...listKinds,
]);
export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];

export const faultMatchSchema = z.strictObject({
  portalId: z.string().optional(),
  method: z.string().optional(),
  pathPrefix: z.string().optional(),
  /** How many matching requests it strikes; all of them by default. */
  times: z.int().positive().optional(),
});
export type FaultMatch = z.infer<typeof faultMatchSchema>;

/** A fault of the given kind, with what that kind needs. */
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;
