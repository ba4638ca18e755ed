import { once } from 'node:events';
import type { Server } from 'node:http';

export type ListeningServer = { baseUrl: string; close: () => Promise<void> };

/** Opens the server on the loopback only. Rejects if the port cannot be had; 0 takes any. */
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
