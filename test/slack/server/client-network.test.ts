import { expect, test } from 'vitest';
import { clientNetwork } from '../../../src/slack/server/unverified-connections.ts';

test.each([
  ['no proxy', '198.51.100.7', undefined, '198.51.100.7'],
  ['a client that claims another address', '198.51.100.7', '203.0.113.1', '198.51.100.7'],
  ['a proxy on this machine', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['a proxy in a private network', '10.2.3.4', '198.51.100.7', '198.51.100.7'],
  ['a proxy that connects to a dual-stack port', '::ffff:10.2.3.4', '198.51.100.7', '198.51.100.7'],
  ['a dual-stack port without a proxy', '::ffff:198.51.100.7', '203.0.113.1', '198.51.100.7'],
  ['a proxy with IPv6', 'fd12::1', '198.51.100.7', '198.51.100.7'],
  ['a proxy that adds to a claim', '127.0.0.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
  ['a proxy that names nobody', '127.0.0.1', undefined, '127.0.0.1'],
  ['a proxy with an unreadable name', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['an IPv6 network', '127.0.0.1', '2001:db8:1:2::3', '2001:db8:1::/48'],
  ['a written-out address', '127.0.0.1', '2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['an address with zeros in front', '127.0.0.1', '2001:db8::3', '2001:db8:0::/48'],
  ['a connection that has ended', '', '198.51.100.7', ''],
])('%s', (_, peer, forwardedFor, network) => {
  expect(clientNetwork(peer, forwardedFor)).toBe(network);
});
