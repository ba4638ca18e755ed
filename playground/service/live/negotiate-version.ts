import type { Negotiation } from '../dialect.ts';
import { errorResponse } from '../http/response.ts';
import type { VersionedResource } from './live-route.ts';

const grammar = /^application\/api\.clumio\.([^+]+)\+json$/;
const part = /^(\*|[a-z0-9-]+)=v([1-9]\d*)$/;

/**
 * The version that the Accept header asks for: `*=v1`, `users=v2`, or several joined by `&`; a part
 * that names the resource takes precedence. By default the newest. A choice: `*=v2` means v1 for a
 * resource without v2, because one header is sent for all resources.
 */
export function negotiateVersion(
  accept: string | undefined,
  { resource, versions }: VersionedResource,
): Negotiation {
  const newest = Math.max(...versions);
  const requested = accept === undefined || accept === '*/*' ? new Map() : parseAccept(accept);
  if (!requested) return rejectVersion(resource, versions);

  const named = requested.get(resource);
  if (named !== undefined) {
    return versions.includes(named)
      ? negotiated(resource, named)
      : rejectVersion(resource, versions);
  }
  const general = requested.get('*') ?? newest;
  const available = versions.filter((version) => version <= general);
  return available.length > 0
    ? negotiated(resource, Math.max(...available))
    : rejectVersion(resource, versions);
}

function parseAccept(accept: string): Map<string, number> | undefined {
  const parts = grammar.exec(accept.trim())?.[1]?.split('&').map(parsePart);
  if (!parts?.every((entry) => entry !== undefined)) return undefined;
  return new Map(parts);
}

function parsePart(text: string): [resource: string, version: number] | undefined {
  const [, resource, version] = part.exec(text) ?? [];
  return resource === undefined ? undefined : [resource, Number(version)];
}

function negotiated(resource: string, version: number): Negotiation {
  const contentType = `application/api.clumio.${resource}=v${version}+json`;
  return { ok: true, version, contentType };
}

function rejectVersion(resource: string, versions: readonly number[]): Negotiation {
  const offers = versions.map((version) => `application/api.clumio.${resource}=v${version}+json`);
  return { ok: false, rejection: errorResponse(406, `Accept must be ${offers.join(' or ')}.`) };
}
