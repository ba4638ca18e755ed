import { BlockList, isIP, type Socket } from 'node:net';

export type UnverifiedConnections = ReturnType<typeof limitUnverified>;

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
}) {
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
    /** A valid signature arrived, or the connection ended. */
    remove,

    /** A new connection, or one whose next request arrives: it becomes the newest. */
    add(socket: Socket): void {
      remove(socket);
      held.set(socket, 0);
      if (held.size > maxConnections) close(held.keys().next().value);
    },

    /** Counts bytes of a body that wait for its end. */
    hold(socket: Socket, bytes: number): void {
      // Closed already, with a part of its body still on the way to its reader.
      const before = held.get(socket);
      if (before === undefined) return;
      held.set(socket, before + bytes);
      total += bytes;
      if (total > maxBytes) close([...held].find(([, size]) => size > 0)?.[0]);
    },
  };
}

const privateNetworks = new BlockList();
privateNetworks.addSubnet('10.0.0.0', 8);
privateNetworks.addSubnet('100.64.0.0', 10);
privateNetworks.addSubnet('127.0.0.0', 8);
privateNetworks.addSubnet('172.16.0.0', 12);
privateNetworks.addSubnet('192.168.0.0', 16);
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');

/**
 * Which sender a request counts for: the address of the browser, or of IPv6 the /48 network, whose
 * addresses one customer can use as they like.
 * @param peer who opened the connection
 * @param forwardedFor the header X-Forwarded-For, believed only from a private address, such as a
 * proxy's. The proxy adds the last address; the ones before it are what the browser claims.
 */
export function clientNetwork(peer: string, forwardedFor: string | undefined): string {
  const forwarded = forwardedFor?.split(',').at(-1)?.trim() ?? '';
  const isProxy = isIP(peer) > 0 && privateNetworks.check(peer, isIP(peer) === 6 ? 'ipv6' : 'ipv4');
  const address = isProxy && isIP(forwarded) > 0 ? forwarded : peer;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address;
  const [start = ''] = address.split('::');
  const [first = '0', second = '0', third = '0'] = start.split(':');
  return `${first}:${second}:${third}::/48`;
}
