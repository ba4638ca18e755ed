import { type Child, startChild } from '../child.ts';
import { type BoltOptions, peerReady, type SlackReady } from './messages.ts';

export type Bolt = { requestUrl: string } & Pick<Child, 'usedMs' | 'stop'>;

/** Starts bare Bolt in a process of its own. Its environment is empty, so NODE_ENV isn't set. */
export async function startBolt(
  { apiUrl, botToken, signingSecret }: SlackReady,
  work: Pick<BoltOptions, 'answer' | 'service'>,
): Promise<Bolt> {
  const child = startChild(new URL('bolt-peer.ts', import.meta.url), [], { env: {} });
  child.send({ apiUrl, botToken, signingSecret, ...work });
  const { port } = peerReady.parse(await child.next());
  const { usedMs, stop } = child;
  return { requestUrl: `http://127.0.0.1:${port}/slack/events`, usedMs, stop };
}
