import {
  homeChannelBlocks,
  homeConnectionBlocks,
  homeFooterBlocks,
  homeOutsiderBlocks,
  homeUnavailableBlocks,
} from '../../../src/features/home/views/home-blocks.ts';
import { openSetupActionId } from '../../../src/features/setup/index.ts';
import type { KnownBlock } from '../../../src/slack/ui/blocks.ts';
import { safe, safeName } from '../../../src/slack/ui/mrkdwn.ts';
import { sampleNow as at, channelId } from '../sample-place.ts';
import type { Samples } from '../samples.ts';

const home = (blocks: KnownBlock[]) => ({ type: 'home', blocks });

/** Every part of the Home tab, as `everyView` lists them. */
export function everyHomeView({ typed, policyName }: Samples): Record<string, unknown[]> {
  const watches = { noun: 'watch', plural: 'watches', count: 2, nextAt: undefined };
  const digests = { noun: 'digest', plural: 'digests', count: 1, nextAt: at };
  const drills = { noun: 'restore drill', plural: 'restore drills', count: 2, nextAt: at };
  const channel = { channelId, kinds: [watches, digests, drills], paused: 1 };
  const direct = { channelId: 'D1', kinds: [watches], paused: 0 };
  const working = { name: policyName, region: safeName(typed), problem: undefined };
  const failing = { ...working, problem: safe(typed), since: at };
  const setups = [undefined, openSetupActionId];
  return {
    homeChannelBlocks: [
      home(homeChannelBlocks([])),
      home(homeChannelBlocks([channel, direct])),
      home(homeChannelBlocks(Array(12).fill(channel))),
    ],
    homeConnectionBlocks: [
      ...[true, false].map((isAdmin) => home(homeConnectionBlocks([], isAdmin))),
      home(homeConnectionBlocks([working], false)),
      home(homeConnectionBlocks([working, failing], false)),
      home(homeConnectionBlocks(Array(12).fill(failing), true)),
    ],
    homeFooterBlocks: setups.flatMap((setUpActionId) =>
      [true, false].map((isConnected) => home(homeFooterBlocks({ isConnected, setUpActionId }))),
    ),
    homeOutsiderBlocks: [home(homeOutsiderBlocks())],
    homeUnavailableBlocks: [home(homeUnavailableBlocks('Requests'))],
  };
}
