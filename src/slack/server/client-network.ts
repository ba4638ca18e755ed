import { BlockList, isIP } from 'node:net';

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
