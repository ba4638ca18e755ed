import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { threadId } from 'node:worker_threads';

/** Above 10,080, the highest port that browsers and fetch refuse. https://fetch.spec.whatwg.org/#port-blocking */
const lowest = 10_100;
const portsPerThread = 1800;
const threads = 12;

/**
 * The first of `count` consecutive ports that were free when checked. They are below the ports that
 * operating systems give to connections, which could take one before the caller listens on it. The
 * threads of a process draw from different ports, so that none takes those of another meanwhile.
 */
export async function findPorts(count: number): Promise<number> {
  const ofThread = lowest + ((process.pid + threadId) % threads) * portsPerThread;
  for (;;) {
    const servers: Server[] = [];
    try {
      const first = ofThread + randomInt(portsPerThread - count);
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
