import type { Clock } from '../../clock.ts';
import { thisPlace } from '../../slack/api/channel.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import { describeSearch } from '../alerts/index.ts';
import type { ComplianceWatchStore } from './store/compliance-watch-store.ts';
import type { WatchStore } from './store/watch-store.ts';
import { formatComplianceWatch } from './views/format-compliance-watch.ts';

/** The watches of a channel, as one line of mrkdwn. */
export async function describeWatches(
  { teamId, channelId }: { teamId: string; channelId: string },
  {
    store,
    complianceWatches,
    clock,
  }: {
    store: Pick<WatchStore, 'list'>;
    complianceWatches: Pick<ComplianceWatchStore, 'list'>;
    clock: Clock;
  },
): Promise<string> {
  const [watches, ofPolicies] = await Promise.all([
    store.list({ teamId, channelId }),
    complianceWatches.list({ teamId, channelId }),
  ]);
  const [watch] = watches;
  const [ofPolicy] = ofPolicies;
  if (!watch && !ofPolicy)
    return `*No watch in ${thisPlace(channelId)}* · ${code('/belay watch all')} posts new alerts`;
  const all = [...watches, ...ofPolicies];
  const paused = all.filter(({ pausedReason }) => pausedReason !== undefined).length;
  const only = watch
    ? describeSearch(watch.search, clock()) || 'all alerts'
    : ofPolicy && formatComplianceWatch(ofPolicy);
  const which = all.length === 1 ? only : plural(all.length, 'watch', 'watches');
  const state = paused > 0 ? ` (${paused} paused)` : '';
  return `*Watch in ${thisPlace(channelId)}* · ${which}${state} · ${code('/belay watch')}`;
}
