import type { Clock } from '../../clock.ts';
import { thisPlace } from '../../slack/api/channel.ts';
import { button, type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { plural } from '../../slack/ui/words.ts';
import { defaultSearch, describeSearch, watchActionId } from '../alerts/index.ts';
import type { ComplianceWatchStore } from './store/compliance-watch-store.ts';
import type { PolicyWatchStore } from './store/policy-watch-store.ts';
import type { WatchStore } from './store/watch-store.ts';
import { formatComplianceWatch } from './views/compliance-watch-messages.ts';
import { policyWatchText } from './views/policy-watch-messages.ts';

/** The watches of a channel. */
export async function describeWatches(
  { teamId, channelId }: { teamId: string; channelId: string },
  {
    store,
    complianceWatches,
    policyWatches,
    clock,
  }: {
    store: Pick<WatchStore, 'list'>;
    complianceWatches: Pick<ComplianceWatchStore, 'list'>;
    policyWatches: Pick<PolicyWatchStore, 'list'>;
    clock: Clock;
  },
): Promise<KnownBlock> {
  const [watches, ofCompliance, ofPolicies] = await Promise.all([
    store.list({ teamId, channelId }),
    complianceWatches.list({ teamId, channelId }),
    policyWatches.list({ teamId, channelId }),
  ]);
  const all = [...watches, ...ofCompliance, ...ofPolicies];
  if (all.length === 0) {
    return section(
      `*No watches in ${thisPlace(channelId)}* · a watch posts new alerts`,
      button({
        text: 'Watch here',
        actionId: watchActionId,
        value: encodeValue({ search: defaultSearch }),
        accessibilityLabel: 'Watch alerts in this channel',
      }),
    );
  }
  const paused = all.filter(({ pausedReason }) => pausedReason !== undefined).length;
  const [only = policyWatchText] = [
    ...watches.map(({ search }) => describeSearch(search, clock()) || 'all alerts'),
    ...ofCompliance.map(formatComplianceWatch),
  ];
  const which = all.length === 1 ? only : plural(all.length, 'watch', 'watches');
  const state = paused > 0 ? ` (${paused} paused)` : '';
  return section(
    `*Watch in ${thisPlace(channelId)}* · ${which}${state}`,
    commandButton({ text: 'View watches', line: 'watch' }),
  );
}
