import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import {
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  RequestRejectedError,
  UnexpectedResponseError,
} from '../http/errors.ts';
import { isJsonObject } from '../json.ts';
import { type Link, readLinks } from '../paging/link.ts';
import type { Discovery } from './discoveries.ts';
import type { Operation } from './operations.ts';

/** Of two versions that have an operation, the newer one counts. */
const discoverySchema = z.record(z.string(), z.unknown()).transform((resources): Discovery => {
  const described = Object.entries(resources).map(([name, versions]) => {
    const oldestFirst = Object.entries(isJsonObject(versions) ? versions : {})
      .filter(([version]) => /^v\d+$/.test(version))
      .toSorted(([one], [other]) => Number(one.slice(1)) - Number(other.slice(1)));
    const links = oldestFirst.flatMap(([, links]) => Object.entries(readLinks(links)));
    return [name, Object.fromEntries(links)] as const;
  });
  return new Map(described);
});

/**
 * What the service says it offers (`GET /`); undefined when it does not say. What it said is believed for
 * a while, by all clients of the same connection.
 * A failure that may pass is thrown as a `ServiceError` and not remembered.
 */
export async function discover(
  client: ServiceClient,
  { signal }: CallOptions = {},
): Promise<Discovery | undefined> {
  const known = client.knownDiscovery.recall();
  if (known) return known.discovery;
  const discovery = await readDiscovery(client, signal);
  client.knownDiscovery.keep(discovery);
  return discovery;
}

const root: Link = { href: '/', type: 'get', templated: false };

async function readDiscovery(
  client: ServiceClient,
  signal: AbortSignal | undefined,
): Promise<Discovery | undefined> {
  try {
    const found = await client.send({ method: 'GET', target: root, signal }, discoverySchema);
    return found.size > 0 ? found : undefined;
  } catch (error) {
    if (isSilent(error)) return undefined;
    throw error;
  }
}

function isSilent(error: unknown): boolean {
  return [
    ...[NotFoundError, MethodNotAllowedError, ForbiddenError],
    ...[RequestRejectedError, UnexpectedResponseError],
  ].some((kind) => error instanceof kind);
}

/**
 * The link to an operation, found by its id or else by its method and the shape of its path: ids
 * are the service's to rename.
 */
export function offeredLink(discovery: Discovery, operation: Operation): Link | undefined {
  const byId = discovery.get(operation.resource)?.[operation.id];
  if (byId) return byId;
  const all = [...discovery.values()].flatMap((links) => Object.values(links));
  return all.find(
    ({ type, href }) => type === operation.type && shapeOf(href) === shapeOf(operation.href),
  );
}

/** `/tasks/{task_id}{?embed}` and `/tasks/{id}` have the same. */
function shapeOf(href: string): string {
  return href.replaceAll(/\{[?&][^}]*\}/g, '').replaceAll(/\{[^}]*\}/g, '{}');
}
