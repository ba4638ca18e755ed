import { z } from 'zod';
import { type Dialect, dialectRules, dialects } from './dialects/dialect.ts';

/**
 * One portal of the service and its API (§1 What the service does). Always from a table: the
 * address of the API can't be derived from the region's name or from a token.
 */
export type Region = {
  id: string;
  label: string;
  /** Where people sign in and create tokens; shown to help them choose. */
  portal: string;
  baseUrl: string;
  dialect: Dialect;
  /** The rate limit of one organization, above which the service responds 429. */
  requestsPerSecond: number;
};

/** Loopback hosts, the only ones to which plain http is allowed. */
export const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address of the portal, if `portal` begins with one: a host name in public DNS, or an https
 * address. Other text is shown as it is and leads nowhere.
 */
export function portalUrl({ portal }: Pick<Region, 'portal'>): string | undefined {
  const [first = ''] = portal.trim().split(/\s/);
  const address = first.startsWith('https://') ? first : `https://${first}`;
  const url = URL.parse(address);
  const isHost = /^(?:https:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/.test(first);
  return isHost && url?.protocol === 'https:' && !url.username ? url.href : undefined;
}

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
      requestsPerSecond: requestsPerSecond ?? dialectRules[region.dialect].requestsPerSecond,
    })),
  );

/**
 * The portals of the live service, two of which have two names (§10 The live dialect). The
 * addresses follow no rule, so they are written out.
 */
export const builtInRegions: Region[] = regionsSchema.parse([
  {
    id: 'us-west-2',
    label: 'US West',
    portal: 'west.portal.clumio.com (or portal.clumio.com)',
    baseUrl: 'https://us-west-2.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'us-east-1',
    label: 'US East',
    portal: 'east.portal.clumio.com (or us2.portal.clumio.com)',
    baseUrl: 'https://us-east-1.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'ca-central-1',
    label: 'Canada',
    portal: 'canada.portal.clumio.com',
    baseUrl: 'https://ca-central-1.ca.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'eu-central-1',
    label: 'Europe',
    portal: 'eu1.portal.clumio.com',
    baseUrl: 'https://eu-central-1.de.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'ap-southeast-2',
    label: 'Australia',
    portal: 'au.portal.clumio.com',
    baseUrl: 'https://ap-southeast-2.au.api.clumio.com',
    dialect: 'live',
  },
]);
