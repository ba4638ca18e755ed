import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type TcpProxy = {
  /** The address of the target, by way of the proxy. */
  url: string;
  /** Ends every connection at once, as a restart of the server or a firewall does. */
  cut: () => void;
  /** Accepts connections and forwards nothing, in either direction, until `resume`. */
  silence: () => void;
  /** Forwards again; connections that were opened or used meanwhile are cut. */
  resume: () => void;
  /** Resolves when this text went from a client to the server. */
  sees: (text: string) => Promise<void>;
};

/** A TCP proxy in front of the server of `target`, ended with the test. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const listeners = new Set<(data: string) => void>();
  let isSilent = false;

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    track(client);
    const upstream = track(connect(Number(port), hostname));
    client.on('data', (data) => {
      for (const listen of listeners) listen(String(data));
      if (!isSilent) upstream.write(data);
    });
    upstream.on('data', (data) => void (isSilent || client.write(data)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  const url = new URL(target);
  url.port = typeof address === 'object' && address ? String(address.port) : '';
  return {
    url: url.href,
    cut,
    silence: () => {
      isSilent = true;
    },
    resume: () => {
      isSilent = false;
      cut();
    },
    sees: (text) =>
      new Promise((resolve) => {
        const listen = (data: string) => {
          if (!data.includes(text)) return;
          listeners.delete(listen);
          resolve();
        };
        listeners.add(listen);
      }),
  };
}
