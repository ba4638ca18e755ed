import type { Clock } from '../../clock.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import { describeSearch } from '../alerts/index.ts';
import type { WatchStore } from './store/watch-store.ts';

/** The watches of a channel, as one line of mrkdwn. */
export async function describeWatches(
  { teamId, channelId }: { teamId: string; channelId: string },
  { store, clock }: { store: Pick<WatchStore, 'list'>; clock: Clock },
): Promise<string> {
  const watches = await store.list({ teamId, channelId });
  const [watch] = watches;
  if (!watch) return `*No watch in this channel* · ${code('/belay watch all')} posts new alerts`;
  const paused = watches.filter(({ pausedReason }) => pausedReason !== undefined).length;
  const filter = describeSearch(watch.search, clock()) || 'all alerts';
  const which = watches.length === 1 ? filter : plural(watches.length, 'watch', 'watches');
  const state = paused > 0 ? ` (${paused} paused)` : '';
  return `*Watch in this channel* · ${which}${state} · ${code('/belay watch')}`;
}
