import { onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  type Portal,
  type ReferenceServiceOptions,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from '../call-portal.ts';

type CallOptions = Parameters<typeof callPortal>[2];

/** A live service with its first portal, closed after the test. */
export async function openLive(options: ReferenceServiceOptions = {}) {
  const service = await startReferenceService({ dialect: 'live', now: testNow, ...options });
  onTestFinished(() => service.close());
  const portal = firstOf(service.portals);
  return { service, portal, portalId: portal.id };
}

/** One request with the headers that clients of the live service send. */
export function callLive(
  portal: Pick<Portal, 'baseUrl' | 'token'>,
  path: string,
  { headers, ...options }: CallOptions = {},
) {
  const accept = 'application/api.clumio.*=v1+json';
  return callPortal(portal, path, { ...options, headers: { accept, ...headers } });
}

const linkSchema = z.strictObject({ href: z.string(), type: z.string(), templated: z.boolean() });
const pageSchema = z.looseObject({
  start: z.string(),
  limit: z.int(),
  current_count: z.int(),
  total_count: z.int().optional(),
  total_pages_count: z.int().optional(),
  filter_applied: z.string().nullish(),
  sort_applied: z.string().optional(),
  _links: z.record(z.string(), linkSchema),
  _embedded: z.strictObject({ items: z.array(z.looseObject({ id: z.string() })) }),
});

export async function listLive(portal: Portal, path: string, options?: CallOptions) {
  return pageSchema.parse((await callLive(portal, path, options)).json);
}

/** All items of a list, by following `_next`. */
export async function walkLive(portal: Portal, path: string): Promise<{ id: string }[]> {
  const items: { id: string }[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: z.infer<typeof pageSchema> = await listLive(portal, next);
    items.push(...page._embedded.items);
    next = page._links._next?.href;
  }
  return items;
}

export function filtered(path: string, filter: unknown): string {
  return `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
}
