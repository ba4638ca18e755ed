import { createServer, type ServerResponse } from 'node:http';
import type { Logger } from '../logger.ts';

/** `ready` or why not; each check by name with its result. */
export type Readiness = { isReady: boolean; checks: Record<string, string> };

export type HealthServer = { port: number; stop: () => Promise<void> };

/** What the health port serves. */
export const healthPaths = { live: '/livez', ready: '/readyz', metrics: '/metrics' } as const;

type Page = { status: number; type: string; text: string };

/**
 * Serves `/livez` (the process responds), `/readyz` (503 while it can't work) and `/metrics`, on a
 * port of its own that is not meant for the internet.
 * @throws with one line for the operator when it can't listen.
 */
export async function startHealthServer(
  { host, port }: { host: string; port: number },
  {
    readReadiness,
    readMetrics,
    log,
  }: {
    readReadiness: () => Promise<Readiness>;
    readMetrics: () => Promise<{ contentType: string; text: string }>;
    log: Logger;
  },
): Promise<HealthServer> {
  const pages: Record<string, () => Promise<Page>> = {
    [healthPaths.live]: async () => asJson(200, { status: 'alive' }),
    [healthPaths.ready]: async () => {
      const { isReady, checks } = await readReadiness();
      return asJson(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks });
    },
    [healthPaths.metrics]: async () => {
      const { contentType: type, text } = await readMetrics();
      return { status: 200, type, text };
    },
  };
  const server = createServer((request, response) => {
    const page = pages[request.url?.split('?')[0] ?? ''];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!page || !isRead) return send(response, asJson(page ? 405 : 404, { status: 'not found' }));
    page()
      .then((found) => send(response, found))
      .catch((error: unknown) => {
        log.error({ err: error, path: request.url }, 'a health request failed');
        send(response, asJson(500, { status: 'failed' }));
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new Error(`HEALTH_HOST, HEALTH_PORT: can't listen on ${host}:${port}: ${error.message}`),
      ),
    );
    server.listen(port, host, resolve);
  });
  server.on('error', (error) => log.error({ err: error }, 'the health server failed'));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function asJson(status: number, body: object): Page {
  return { status, type: 'application/json; charset=utf-8', text: `${JSON.stringify(body)}\n` };
}

function send(response: ServerResponse, { status, type, text }: Page): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
