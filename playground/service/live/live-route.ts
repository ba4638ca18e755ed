import type { Method, Route } from '../http/route.ts';
import type { Handler } from '../portal/request-context.ts';

/** A resource with the versions in which it can be had. */
export type VersionedResource = { resource: string; versions: readonly number[] };

/** An endpoint with the id under which discovery offers it. */
export type LiveRoute = Route & VersionedResource & { operationId: string };

type Operation = {
  id: string;
  handle: Handler;
  parameters?: readonly string[];
};

/** The rest follows from the method: what neither reads nor deletes takes a body. */
export function route(
  { resource, versions }: VersionedResource,
  method: Method,
  path: string,
  { id, handle, parameters = [] }: Operation,
): LiveRoute {
  const takesBody = method !== 'GET' && method !== 'DELETE';
  return { method, path, handle, parameters, takesBody, resource, versions, operationId: id };
}
