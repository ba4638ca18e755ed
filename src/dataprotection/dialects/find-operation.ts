import { parseTemplate } from 'url-template';
import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import {
  ForbiddenError,
  MethodNotAllowedError,
  NotFoundError,
  OperationUnavailableError,
  RequestRejectedError,
  ServiceError,
  type ServiceErrorFacts,
  UnexpectedResponseError,
} from '../http/errors.ts';
import { isSegment } from '../http/request-path.ts';
import { isJsonObject } from '../json.ts';
import { type Link, readLinks } from '../paging/link.ts';
import { dialectRules } from './dialect.ts';
import type { Operation, OperationName } from './dialect-rules.ts';
import type { Discovery } from './discovery-cache.ts';

/**
 * The link of an operation that not every service has; `ids` fill the variables of its path in
 * order (§1 What the service does, §10 The live dialect).
 * @throws {OperationUnavailableError} if the dialect or the service has no such operation.
 * @throws {NotFoundError} if an id can't be a path segment.
 * @throws {ServiceError} if discovery fails in a way that may pass.
 */
export async function findOperation(
  client: ServiceClient,
  name: OperationName,
  ids: readonly string[] = [],
  options: CallOptions = {},
): Promise<Link> {
  const operation = dialectRules[client.dialect].operations[name];
  const facts: ServiceErrorFacts = { request: name, mayHaveActed: false };
  if (!operation) throw unavailable(facts);
  const { type, href } = operation;
  const request = `${type.toUpperCase()} ${href}`;
  if (!ids.every(isSegment)) throw new NotFoundError('not a valid id', { ...facts, request });

  const discovery = await discover(client, options);
  const link = discovery ? findLink(discovery, operation) : operation;
  if (!link) throw unavailable({ ...facts, request });
  return { href: expandTemplate(link.href, ids), type, templated: false };
}

/** Whether the service has an operation; true if that can't be found out. */
export async function offersOperation(
  client: ServiceClient,
  name: OperationName,
  options?: CallOptions,
): Promise<boolean> {
  try {
    await findOperation(client, name, [], options);
    return true;
  } catch (error) {
    if (error instanceof OperationUnavailableError) return false;
    if (error instanceof ServiceError) return true;
    throw error;
  }
}

function unavailable(facts: ServiceErrorFacts): OperationUnavailableError {
  return new OperationUnavailableError('not offered by this service', facts);
}

/** Services name path variables as they like; variables of a query stay empty. */
export function expandTemplate(href: string, ids: readonly string[]): string {
  const names = [...href.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const values = new Map(names.map((name, index) => [name, ids[index] ?? null]));
  return parseTemplate(href).expand(Object.fromEntries(values));
}

const root: Link = { href: '/', type: 'get', templated: false };

/**
 * The operations that the service offers (`GET /`), from the cache if it has them; undefined if the
 * service doesn't say. Failures that may pass are thrown and not cached.
 */
export async function discover(
  client: ServiceClient,
  { signal }: CallOptions = {},
): Promise<Discovery | undefined> {
  const cached = client.discovery.get();
  if (cached) return cached.discovery;
  let discovery: Discovery | undefined;
  try {
    const found = await client.send({ method: 'GET', target: root, signal }, discoverySchema);
    discovery = found.size > 0 ? found : undefined;
  } catch (error) {
    if (!isWithoutDiscovery(error)) throw error;
  }
  client.discovery.set(discovery);
  return discovery;
}

/** If two versions have the same operation, the newer one is used. */
const discoverySchema = z.record(z.string(), z.unknown()).transform((resources): Discovery => {
  const linksByResource = Object.entries(resources).map(([name, versions]) => {
    const oldestFirst = Object.entries(isJsonObject(versions) ? versions : {})
      .filter(([version]) => /^v\d+$/.test(version))
      .toSorted(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
    const links = oldestFirst.flatMap(([, links]) => Object.entries(readLinks(links)));
    return [name, Object.fromEntries(links)] as const;
  });
  return new Map(linksByResource);
});

function isWithoutDiscovery(error: unknown): boolean {
  return [
    ...[NotFoundError, MethodNotAllowedError, ForbiddenError],
    ...[RequestRejectedError, UnexpectedResponseError],
  ].some((kind) => error instanceof kind);
}

/**
 * The link of an operation by its id, else by its method and the shape of its path, because a
 * service may rename ids.
 */
function findLink(discovery: Discovery, operation: Operation): Link | undefined {
  const byId = discovery.get(operation.resource)?.[operation.id];
  if (byId) return byId;
  const all = [...discovery.values()].flatMap((links) => Object.values(links));
  return all.find(
    ({ type, href }) => type === operation.type && pathShape(href) === pathShape(operation.href),
  );
}

/** The same for `/tasks/{task_id}{?embed}` and `/tasks/{id}`. */
function pathShape(href: string): string {
  return href.replaceAll(/\{[?&][^}]*\}/g, '').replaceAll(/\{[^}]*\}/g, '{}');
}
