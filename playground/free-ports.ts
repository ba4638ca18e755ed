import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The first of `count` consecutive ports that were free when checked. They are below the ports that
 * operating systems give to connections, which could take one before the caller listens on it.
 */
export async function findPorts(count: number): Promise<number> {
  for (;;) {
    const servers: Server[] = [];
    try {
      const first = randomInt(20_000, 32_000);
      for (let port = first; port < first + count; port += 1) await listenOn(port, servers);
      return first;
    } catch {
      // One of them is taken: try others.
    } finally {
      await Promise.all(servers.map(release));
    }
  }
}

async function listenOn(port: number, servers: Server[]): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
}

async function release(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
