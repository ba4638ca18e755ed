import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type DatabaseProxy = {
  /** The same database through this proxy. */
  url: string;
  /** Ends connections at random while a statement is under way: its result may never be known. */
  cut: (chance: () => boolean) => void;
  /** Accepts connections and data, and answers nothing. */
  silence: () => void;
  /** Forwards everything again. Connections from before continue, if they are still open. */
  restore: () => void;
  close: () => Promise<void>;
};

type Mode = { kind: 'open' | 'silent' } | { kind: 'cutting'; chance: () => boolean };

/** A TCP proxy in front of PostgreSQL that loses connections or answers on command. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  let mode: Mode = { kind: 'open' };
  const pairs = new Set<[Socket, Socket]>();

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [client, upstream];
    const end = () => {
      client.destroy();
      upstream.destroy();
      pairs.delete(pair);
    };
    pairs.add(pair);
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (mode.kind === 'silent') pauseBoth(pair);
    client.on('data', (chunk) => {
      upstream.write(chunk);
      // The statement has left, and its answer has not arrived.
      if (mode.kind === 'cutting' && mode.chance()) setTimeout(end, 2);
    });
    upstream.on('data', (chunk) => client.write(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  if (address && typeof address === 'object') url.port = String(address.port);

  return {
    url: url.href,
    cut(chance) {
      mode = { kind: 'cutting', chance };
    },
    silence() {
      mode = { kind: 'silent' };
      for (const pair of pairs) pauseBoth(pair);
    },
    restore() {
      mode = { kind: 'open' };
      for (const socket of [...pairs].flat()) socket.resume();
    },
    async close() {
      for (const socket of [...pairs].flat()) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function pauseBoth(pair: [Socket, Socket]): void {
  for (const socket of pair) socket.pause();
}
