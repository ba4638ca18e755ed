import type { Method, Route } from '../http/route.ts';
import type { Handler } from '../portal/request-context.ts';

/** A resource and its available versions. */
export type VersionedResource = { resource: string; versions: readonly number[] };

/** An endpoint with its id in discovery. */
export type LiveRoute = Route & VersionedResource & { operationId: string };

type Operation = {
  id: string;
  handle: Handler;
  parameters?: readonly string[];
};

/** The method decides whether there is a body: every method but GET and DELETE has one. */
export function route(
  { resource, versions }: VersionedResource,
  method: Method,
  path: string,
  { id, handle, parameters = [] }: Operation,
): LiveRoute {
  const takesBody = method !== 'GET' && method !== 'DELETE';
  return { method, path, handle, parameters, takesBody, resource, versions, operationId: id };
}
