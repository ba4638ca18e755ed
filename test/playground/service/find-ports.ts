import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** The first of four consecutive ports that were free when checked. */
export async function findFourPorts(): Promise<number> {
  for (;;) {
    const held: Server[] = [];
    try {
      const first = await hold(0, held);
      for (const offset of [1, 2, 3]) await hold(first + offset, held);
      return first;
    } catch {
      // One of the four is taken: try others.
    } finally {
      await Promise.all(held.map(release));
    }
  }
}

async function hold(port: number, held: Server[]): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  held.push(server);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function release(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
