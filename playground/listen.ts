import { once } from 'node:events';
import type { Server } from 'node:http';

export type ListeningServer = { baseUrl: string; close: () => Promise<void> };

/** Listens on the loopback. Port 0 takes any free port. Rejects if the port is taken. */
export async function listen(server: Server, port: number): Promise<ListeningServer> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
