import { json, type Links } from '../http/response.ts';
import type { Handler } from '../portal/request-context.ts';
import type { LiveRoute } from './live-route.ts';

/** Lists a link to each endpoint by resource, version and operation. */
export function createDiscovery(routes: readonly LiveRoute[]): Handler {
  const byResource = Map.groupBy(routes, ({ resource }) => resource);
  const resources = [...byResource].map(([name, group]) => [name, describe(group)]);
  const response = json(200, Object.fromEntries(resources));
  return () => response;
}

function describe(routes: readonly LiveRoute[]): Record<string, unknown> {
  const versions = [...new Set(routes.flatMap((route) => route.versions))].toSorted(
    (a, b) => b - a,
  );
  const links = versions.map((version) => [
    `v${version}`,
    linksTo(routes.filter((route) => route.versions.includes(version))),
  ]);
  return {
    supported_versions: versions.map((version) => `v${version}`),
    ...Object.fromEntries(links),
  };
}

const linkType = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const;

function linksTo(routes: readonly LiveRoute[]): Links {
  return Object.fromEntries(
    routes.map(({ operationId, path, method }) => [
      operationId,
      { href: path, type: linkType[method], templated: path.includes('{') },
    ]),
  );
}
