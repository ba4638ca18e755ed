import { z } from 'zod';
import { type Dialect, dialects } from './dialects/dialect.ts';

/**
 * One portal of the data-protection service and the API that goes with it. Always from a table:
 * the API's address cannot be derived from a region's name or from a token.
 */
export type Region = {
  id: string;
  label: string;
  /** Where people sign in and make tokens; shown to help them choose. */
  portal: string;
  baseUrl: string;
  dialect: Dialect;
  /** What the service takes from one organisation before it answers 429. */
  requestsPerSecond: number;
};

/** The live service states 100; the contract states none, so Belay keeps well below that. */
const defaultRequestsPerSecond: Record<Dialect, number> = { documented: 50, live: 100 };

/** Hosts that are this machine, which a secret does not leave by plain http. */
export const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

const regionSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/, 'use lower-case letters, digits and dashes'),
  label: z.string().min(1).max(75),
  portal: z.string().min(1).max(75),
  baseUrl: z
    .url()
    .refine((value) => {
      const url = URL.parse(value);
      if (!url) return false;
      return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
    }, 'must be https (http is for this machine only)')
    .transform((value) => value.replace(/\/+$/, '')),
  dialect: z.enum(dialects, { error: `is not one of ${dialects.join(', ')}` }),
  requestsPerSecond: z.number().positive().max(10_000).optional(),
});

export const regionsSchema = z
  .array(regionSchema)
  .min(1, 'list at least one region')
  .refine(
    (regions) => new Set(regions.map((region) => region.id)).size === regions.length,
    'two regions have the same id',
  )
  .transform((regions): Region[] =>
    regions.map(({ requestsPerSecond, ...region }) => ({
      ...region,
      requestsPerSecond: requestsPerSecond ?? defaultRequestsPerSecond[region.dialect],
    })),
  );
