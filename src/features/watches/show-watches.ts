import { canPost, thisPlace } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/interactions/interaction.ts';
import { button, type KnownBlock, type Message, section } from '../../slack/ui/blocks.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { plural } from '../../slack/ui/words.ts';
import type { Channel } from '../../subscriptions/subscription.ts';
import { findAmong } from '../../workspace/choose-connection.ts';
import { shownRights } from '../../workspace/permissions.ts';
import { defaultSearch, describeSearch, watchActionId } from '../alerts/index.ts';
import { type Resumed, resumeWatches } from './resume-watches.ts';
import { formatComplianceWatch } from './views/compliance-watch-messages.ts';
import { policyWatchText } from './views/policy-watch-messages.ts';
import { watchListMessage } from './views/watch-list-message.ts';
import type { WatchContext } from './watch-context.ts';

/**
 * Lists the watches of the channel. Paused ones are resumed first, because somebody is using them
 * again; if that fails, they are listed with the reason.
 */
export async function showWatches(
  call: CommandInteraction,
  context: WatchContext,
): Promise<Message> {
  const { complianceWatches, policyWatches, clock } = context;
  const { teamId, channelId, person } = call;
  const channel = { teamId, channelId };
  const [before, connections, settings] = await Promise.all([
    listWatches(channel, context),
    call.connections(),
    call.settings(),
  ]);
  const isPaused = before.flat().some(({ pausedReason }) => pausedReason !== undefined);
  const mayResume = isPaused && (await canPost(call));
  const {
    resumed: alerts,
    missedDays,
    resumeProblem,
  }: Resumed = mayResume ? await resumeWatches(call, before[0], context) : { resumed: 0 };
  const compliance = mayResume ? await complianceWatches.resume(channel, clock()) : 0;
  const policies = mayResume ? await policyWatches.resume(channel, clock()) : 0;
  const [watches, ofCompliance, ofPolicies] = mayResume
    ? await listWatches(channel, context)
    : before;
  return watchListMessage({
    channelId,
    resumed: { alerts, missedDays, compliance, policies },
    resumeProblem,
    mayChange: (watch) => shownRights.mayChange(watch, person, settings),
    findConnection: findAmong(connections),
    now: clock(),
    watches,
    complianceWatches: ofCompliance,
    policyWatches: await Promise.all(
      ofPolicies.map(async (watch) => ({
        ...watch,
        outage: await context.readPolicyOutage(watch),
      })),
    ),
  });
}

/** The watches of alerts, of compliance and of policies. */
function listWatches(channel: Channel, { store, complianceWatches, policyWatches }: WatchContext) {
  return Promise.all([
    store.list(channel),
    complianceWatches.list(channel),
    policyWatches.list(channel),
  ]);
}

/** The watches of a channel, in the overview. */
export async function describeWatches(
  channel: Channel,
  context: WatchContext,
): Promise<KnownBlock> {
  const [watches, ofCompliance, ofPolicies] = await listWatches(channel, context);
  const all = [...watches, ...ofCompliance, ...ofPolicies];
  if (all.length === 0) {
    return section(
      `*No watches in ${thisPlace(channel.channelId)}* · a watch posts new alerts`,
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
    ...watches.map(({ search }) => describeSearch(search, context.clock()) || 'all alerts'),
    ...ofCompliance.map(formatComplianceWatch),
  ];
  const which = all.length === 1 ? only : plural(all.length, 'watch', 'watches');
  const state = paused > 0 ? ` (${paused} paused)` : '';
  return section(
    `*Watch in ${thisPlace(channel.channelId)}* · ${which}${state}`,
    commandButton({ text: 'View watches', line: 'watch' }),
  );
}
