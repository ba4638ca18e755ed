import { z } from 'zod';
import { startChild } from '../child.ts';
import {
  type LoadOrder,
  type LoadResult,
  loadResult,
  type SlackOrder,
  type SlackReady,
  slackReady,
} from './messages.ts';

export type SlackProcess = SlackReady & {
  sendLoad: (order: Omit<LoadOrder, 'kind'>) => Promise<LoadResult>;
  /** Connects the workspace with a portal of the reference service, in the form of `/belay setup`. */
  setUp: (order: { requestUrl: string; portalId: string; token: string }) => Promise<void>;
  stop: () => void;
};

/** Starts a local Slack in a process of its own, with people who may send this many commands. */
export async function startSlack(commands: number): Promise<SlackProcess> {
  const child = startChild(new URL('slack-process.ts', import.meta.url), [String(commands)]);
  const ready = slackReady.parse(await child.next());
  const sendCommand = (given: SlackOrder) => {
    child.send(given);
    return child.next();
  };
  return {
    ...ready,
    sendLoad: async (given) => loadResult.parse(await sendCommand({ kind: 'load', ...given })),
    async setUp(given) {
      z.object({}).parse(await sendCommand({ kind: 'set-up', ...given }));
    },
    stop: child.stop,
  };
}
