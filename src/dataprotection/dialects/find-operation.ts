import { parseTemplate } from 'url-template';
import type { CallOptions, ServiceClient } from '../client.ts';
import {
  NotFoundError,
  OperationUnavailableError,
  type ServiceErrorFacts,
} from '../http/errors.ts';
import { isSegment } from '../http/request-path.ts';
import type { Link } from '../paging/link.ts';
import { discover, offeredLink } from './discovery.ts';
import type { OperationName } from './operations.ts';
import { wireFormat } from './wire-format.ts';

/**
 * Where an operation is that not every service has; `ids` fill the variables of its path in order.
 * Throws `OperationUnavailableError` where the dialect has none or the service does not offer it.
 */
export async function findOperation(
  client: ServiceClient,
  name: OperationName,
  ids: readonly string[] = [],
  options: CallOptions = {},
): Promise<Link> {
  const operation = wireFormat(client.dialect).operations[name];
  const facts: ServiceErrorFacts = { request: `${name}`, mayHaveActed: false };
  if (!operation) throw unavailable(facts);
  const { type, href } = operation;
  const request = `${type.toUpperCase()} ${href}`;
  if (!ids.every(isSegment)) throw new NotFoundError('no id can look so', { ...facts, request });

  const discovery = await discover(client, options);
  const link = discovery ? offeredLink(discovery, operation) : operation;
  if (!link) throw unavailable({ ...facts, request });
  return { href: expandTemplate(link.href, ids), type, templated: false };
}

function unavailable(facts: ServiceErrorFacts): OperationUnavailableError {
  return new OperationUnavailableError('this service does not offer it', facts);
}

/** Services name the variables of a path as they like; those of a query stay empty. */
export function expandTemplate(href: string, ids: readonly string[]): string {
  const names = [...href.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const values = new Map(names.map((name, index) => [name, ids[index] ?? null]));
  return parseTemplate(href).expand(Object.fromEntries(values));
}
