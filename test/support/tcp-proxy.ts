import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  /** The address of the target, by way of the proxy. */
  url: string;
  /** Ends every connection at once, as a restart of the server or a firewall does. */
  cut: () => void;
  /** Ends connections by chance while a statement is under way: its result may never be known. */
  cutSome: (chance: () => boolean) => void;
  /** Accepts connections and data, and forwards nothing, in either direction. */
  silence: () => void;
  /** Forwards everything again. Connections from before continue, if they are still open. */
  restore: () => void;
  /** Resolves when this text went from a client to the server. */
  sees: (text: string) => Promise<void>;
  close: () => Promise<void>;
};

type Mode = { kind: 'open' | 'silent' } | { kind: 'cutting'; chance: () => boolean };

/** A TCP proxy in front of the server of `target`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const listeners = new Set<(data: string) => void>();
  let mode: Mode = { kind: 'open' };

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const end = () => {
      for (const socket of [client, upstream]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', end).on('close', end));
      if (mode.kind === 'silent') socket.pause();
    }
    client.on('data', (data) => {
      for (const listen of listeners) listen(String(data));
      upstream.write(data);
      // The statement has left, and its answer has not arrived.
      if (mode.kind === 'cutting' && mode.chance()) setTimeout(end, 2);
    });
    upstream.on('data', (data) => client.write(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(target);
  if (address && typeof address === 'object') url.port = String(address.port);

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    cutSome(chance) {
      mode = { kind: 'cutting', chance };
    },
    silence() {
      mode = { kind: 'silent' };
      for (const socket of sockets) socket.pause();
    },
    restore() {
      mode = { kind: 'open' };
      for (const socket of sockets) socket.resume();
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
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
