import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** The first of four consecutive ports that were free when checked. */
export async function findFourPorts(): Promise<number> {
  for (;;) {
    const servers: Server[] = [];
    try {
      const first = await listenOn(0, servers);
      for (const offset of [1, 2, 3]) await listenOn(first + offset, servers);
      return first;
    } catch {
      // One of the four is taken: try others.
    } finally {
      await Promise.all(servers.map(release));
    }
  }
}

async function listenOn(port: number, servers: Server[]): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function release(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
