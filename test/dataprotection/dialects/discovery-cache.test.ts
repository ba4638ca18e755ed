import { expect, it } from 'vitest';
import { createServiceClient } from '../../../src/dataprotection/client.ts';
import type { ServiceConnection } from '../../../src/dataprotection/connection.ts';
import { createDiscoveryCache } from '../../../src/dataprotection/dialects/discovery-cache.ts';
import { readTask } from '../../../src/dataprotection/resources/tasks.ts';
import { serve } from '../../support/serve.ts';
import { answerJson, fastRetries, openTransport, requestsPerSecond } from '../local-server.ts';

/** A live service that counts discovery requests; `read` reads one of its tasks. */
async function openService(options: Parameters<typeof createDiscoveryCache>[0] = {}) {
  let requestCount = 0;
  const baseUrl = await serve((request, response) => {
    if (request.url === '/') requestCount += 1;
    answerJson(response, request.url === '/' ? {} : { id: '7' });
  });
  const transport = { ...openTransport(), discoveryCache: createDiscoveryCache(options) };
  return {
    transport,
    requestCount: () => requestCount,
    // A new client each time, as for each command.
    async read(connection: Partial<ServiceConnection> = {}) {
      const whole = {
        baseUrl,
        dialect: 'live',
        token: 'a.b.c',
        requestsPerSecond,
        ...connection,
      } as const;
      await readTask(createServiceClient(whole, transport, fastRetries), '7');
    },
  };
}

it('discovery is requested once for all clients of a connection', async () => {
  const { read, requestCount } = await openService();
  await read();
  await read();
  expect(requestCount()).toBe(1);
});

it('discovery is requested for each token and unit', async () => {
  const { read, requestCount } = await openService();
  await read();
  await read({ token: 'd.e.f' });
  await read({ organizationalUnitId: 'unit' });
  expect(requestCount()).toBe(3);
});

it('discovery is requested again after its maximum age', async () => {
  let now = 0;
  const { read, requestCount } = await openService({ maxAgeMs: 1_000, now: () => now });
  await read();
  now = 999;
  await read();
  expect(requestCount()).toBe(1);
  now = 1_000;
  await read();
  await read();
  expect(requestCount()).toBe(2);
});

it('drops the oldest entry above the maximum size', async () => {
  const { read, requestCount, transport } = await openService({ maxEntries: 2 });
  for (const token of ['a', 'b', 'c', 'b', 'c']) await read({ token });
  expect([requestCount(), transport.discoveryCache.size()]).toEqual([3, 2]);
  await read({ token: 'a' });
  expect(requestCount()).toBe(4);
});
