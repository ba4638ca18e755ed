import { type Child, startChild } from './child.ts';
import { type PeerOrders, peerReady } from './messages.ts';

export type Peer = { requestUrl: string; stop: Child['stop'] };

/** Starts a peer of Belay in a process of its own; its environment is empty, so NODE_ENV isn't set. */
export async function startPeer(entry: URL, orders: PeerOrders): Promise<Peer> {
  const child = startChild(entry, [], { env: {} });
  child.send(orders);
  const { port } = peerReady.parse(await child.next());
  return { requestUrl: `http://127.0.0.1:${port}/slack/events`, stop: child.stop };
}
