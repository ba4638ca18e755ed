import type { Socket } from 'node:net';

export type UnverifiedConnections = {
  /** A new connection, or one whose next request arrives: it becomes the newest. */
  add: (socket: Socket) => void;
  /** Counts bytes of a body that wait for its end. */
  hold: (socket: Socket, bytes: number) => void;
  /** A valid signature arrived, or the connection ended. */
  remove: (socket: Socket) => void;
};

/**
 * Limits the connections that have not proven to come from Slack, and the memory of their bodies. When
 * there are too many, the oldest is closed rather than the newest refused: a request of Slack's
 * arrives and is verified within milliseconds, so slow strangers can't keep it out.
 */
export function limitUnverified({
  maxConnections,
  maxBytes,
  onFull,
}: {
  maxConnections: number;
  maxBytes: number;
  onFull: () => void;
}): UnverifiedConnections {
  /** Bytes held for each, oldest first. */
  const held = new Map<Socket, number>();
  let total = 0;

  function remove(socket: Socket): void {
    total -= held.get(socket) ?? 0;
    held.delete(socket);
  }

  function close(socket: Socket | undefined): void {
    if (!socket) return;
    remove(socket);
    socket.destroy();
    onFull();
  }

  return {
    remove,
    add(socket) {
      remove(socket);
      held.set(socket, 0);
      if (held.size > maxConnections) close(held.keys().next().value);
    },
    hold(socket, bytes) {
      // Closed already, with a part of its body still on the way to its reader.
      const before = held.get(socket);
      if (before === undefined) return;
      held.set(socket, before + bytes);
      total += bytes;
      if (total > maxBytes) close([...held].find(([, size]) => size > 0)?.[0]);
    },
  };
}
