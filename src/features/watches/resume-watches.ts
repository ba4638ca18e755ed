import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import type { Interaction } from '../../slack/listeners/interaction.ts';
import {
  notConnected,
  type OpenService,
  RegionMissingError,
  TokenUnreadableError,
} from '../workspaces/index.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import type { WatchStore } from './store/watch-store.ts';
import type { Watch } from './watch.ts';

export type ResumeDependencies = {
  store: Pick<WatchStore, 'resume'>;
  openService: OpenService;
  /** What went wrong, as mrkdwn for people. */
  describeCause: (error: unknown) => string;
  clock: Clock;
};

export type Resumed = {
  resumed: number;
  /** Why watches could not be resumed, as mrkdwn. */
  resumeProblem?: string | undefined;
};

/**
 * Restarts the paused watches of a channel, each at the newest alert of its connection: weeks of missed
 * alerts would bury what is new in the channel.
 */
export async function resumeWatches(
  call: Interaction & { channelId: string },
  watches: Watch[],
  dependencies: ResumeDependencies,
): Promise<Resumed> {
  const paused = watches.filter(({ pausedReason }) => pausedReason !== undefined);
  const origins = [...new Set(paused.map(({ originId }) => originId))];
  const results = await Promise.all(
    origins.map((originId) => resumeConnection(call, originId, dependencies)),
  );
  return {
    resumed: results.reduce((sum, { resumed }) => sum + resumed, 0),
    resumeProblem: results.find(({ resumeProblem }) => resumeProblem)?.resumeProblem,
  };
}

async function resumeConnection(
  { teamId, channelId, log }: Interaction & { channelId: string },
  originId: string,
  { store, openService, describeCause, clock }: ResumeDependencies,
): Promise<Resumed> {
  const at = clock();
  const start = await readStart(() => openService(teamId, { originId }), at).catch(
    (error: unknown) => {
      if (!expectedErrors.some((kind) => error instanceof kind)) throw error;
      log.warn({ err: error }, 'paused watches could not be resumed');
      return { resumeProblem: describeCause(error) };
    },
  );
  if (!start) return { resumed: 0, resumeProblem: notConnected.text };
  if ('resumeProblem' in start) return { resumed: 0, ...start };
  return { resumed: await store.resume({ teamId, channelId, ...start, at }) };
}

const expectedErrors = [ServiceError, RegionMissingError, TokenUnreadableError];

async function readStart(open: () => ReturnType<OpenService>, at: Date) {
  const service = await open();
  if (!service) return undefined;
  const { client, connectionId, originId } = service;
  const anchor = await readAnchor(client, at, AbortSignal.timeout(anchorMs));
  return { connectionId, originId, anchor };
}
