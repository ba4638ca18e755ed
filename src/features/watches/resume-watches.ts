import { ServiceError } from '../../dataprotection/http/errors.ts';
import { millisecondsInDay } from '../../dates.ts';
import { describeCause } from '../../describe-failure.ts';
import { type Interaction, Refusal } from '../../slack/interactions/interaction.ts';
import { RegionMissingError, TokenUnreadableError } from '../../workspace/open-service.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import type { ListedWatch } from './store/watch-store.ts';
import type { WatchContext } from './watch-context.ts';

export type Resumed = {
  resumed: number;
  /** Days since the first of them was paused. */
  missedDays?: number;
  /** Why watches could not be resumed, as mrkdwn. */
  resumeProblem?: string | undefined;
};

/**
 * Restarts the paused watches of a channel, each at the newest alert of its connection: weeks of missed
 * alerts would bury what is new in the channel.
 */
export async function resumeWatches(
  call: Interaction & { channelId: string },
  watches: ListedWatch[],
  context: WatchContext,
): Promise<Resumed> {
  const paused = watches.filter(({ pausedReason }) => pausedReason !== undefined);
  const origins = [...new Set(paused.map(({ originId }) => originId))];
  const results = await Promise.all(
    origins.map((originId) => resumeConnection(call, originId, context)),
  );
  const now = context.clock();
  const missedMs = paused.map(({ pausedAt = now }) => +now - +pausedAt);
  return {
    resumed: results.reduce((sum, { resumed }) => sum + resumed, 0),
    missedDays: Math.floor(Math.max(0, ...missedMs) / millisecondsInDay) + 1,
    resumeProblem: results.find(({ resumeProblem }) => resumeProblem)?.resumeProblem,
  };
}

async function resumeConnection(
  { teamId, channelId, log, service }: Interaction & { channelId: string },
  originId: string,
  { store, clock }: WatchContext,
): Promise<Resumed> {
  const at = clock();
  try {
    const { client, connectionId } = await service({ originId });
    const anchor = await readAnchor(client, at, AbortSignal.timeout(anchorMs));
    return {
      resumed: await store.resume({ teamId, channelId, connectionId, originId, anchor, at }),
    };
  } catch (error) {
    if (error instanceof Refusal) return { resumed: 0, resumeProblem: error.answer.text };
    if (!expectedErrors.some((kind) => error instanceof kind)) throw error;
    log.warn({ err: error }, 'paused watches could not be resumed');
    return { resumed: 0, resumeProblem: describeCause(error) };
  }
}

const expectedErrors = [ServiceError, RegionMissingError, TokenUnreadableError];
