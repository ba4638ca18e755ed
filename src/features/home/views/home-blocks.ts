import {
  actions,
  button,
  context,
  divider,
  header,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { bold, channelMention, code, moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { helpActionId } from '../../help/index.ts';

/** What is set up in a channel. */
export type HomeChannel = {
  channelId: string;
  kinds: {
    noun: string;
    plural: string;
    count: number;
    /** Of the next that isn't paused; undefined for watches and mutes. */
    nextAt: Date | undefined;
  }[];
  /** How many of all are paused. */
  paused: number;
};

export type ConnectionState = {
  name: string;
  /** As an admin knows it. */
  region: string;
  /** Undefined while it works: mrkdwn, what is wrong. */
  problem: string | undefined;
  /** Since when the service can't be read. */
  since?: Date | undefined;
};

const maxChannels = 10;
const maxConnections = 10;
const channelsTitle = 'Your channels';

export function homeOutsiderBlocks(): KnownBlock[] {
  return [
    section(
      "Guests and people from other workspaces can't use Belay. Ask a full member of this workspace for help.",
    ),
  ];
}

export function homeUnavailableBlocks(title: string): KnownBlock[] {
  return [
    header(title),
    section("⚠ Couldn't load this section. Belay will try again in a minute."),
  ];
}

export function homeChannelBlocks(channels: HomeChannel[]): KnownBlock[] {
  if (channels.length === 0) {
    return [
      header(channelsTitle),
      section(
        `Nothing is set up in your channels. Run ${code('/belay watch all')} or ${code('/belay digest new')} in a channel to add a watch or a digest.`,
      ),
    ];
  }
  const left = channels.length - maxChannels;
  return [
    header(channelsTitle),
    section(channels.slice(0, maxChannels).map(formatChannel).join('\n')),
    ...(left > 0 ? [context(`${plural(left, 'more channel')}`)] : []),
  ];
}

/** "#ops · 2 watches · 1 digest, next Nov 22 at 9:00 AM · ⏸ 1 paused" */
function formatChannel({ channelId, kinds, paused }: HomeChannel): string {
  // Slack shows nothing useful for the id of direct messages.
  const place = channelId.startsWith('D')
    ? 'Direct messages with Belay'
    : channelMention(channelId);
  return [
    place,
    ...kinds.map(({ noun, plural: nouns, count, nextAt }) =>
      [plural(count, noun, nouns), nextAt && `next ${moment(nextAt)}`].filter(Boolean).join(', '),
    ),
    ...(paused > 0 ? [`⏸ ${paused} paused`] : []),
  ].join(' · ');
}

export function homeConnectionBlocks(
  connections: ConnectionState[],
  isAdmin: boolean,
): KnownBlock[] {
  if (connections.length === 0) {
    const next = isAdmin
      ? 'Set up Belay to connect it and choose approvers.'
      : `An admin can connect Belay with ${code('/belay setup')}.`;
    return [
      header('Connection'),
      section(`⚪ *Not connected*\nBelay isn't connected to the data-protection service. ${next}`),
    ];
  }
  const left = connections.length - maxConnections;
  return [
    header(connections.length > 1 ? 'Connections' : 'Connection'),
    ...connections
      .slice(0, maxConnections)
      .map((one) => section(formatConnection(one, connections.length > 1))),
    ...(left > 0 ? [context(`${left} more · ${code('/belay connection')}`)] : []),
  ];
}

function formatConnection(
  { name, region, problem, since }: ConnectionState,
  hasSeveral: boolean,
): string {
  const which = [...(hasSeveral ? [bold(name)] : []), region].join(' · ');
  if (problem === undefined) return `✅ *Connected* · ${which}`;
  const from = since ? ` · since ${moment(since)}` : '';
  return `⚠ *Can't connect*${from} · ${which}\n${problem}`;
}

/** `setUp` opens setup, for admins. */
export function homeFooterBlocks({
  isConnected,
  setUpActionId,
}: {
  isConnected: boolean;
  setUpActionId: string | undefined;
}): KnownBlock[] {
  const setUp = setUpActionId && {
    text: isConnected ? 'Settings' : 'Set up Belay',
    actionId: setUpActionId,
    value: encodeValue({}),
    accessibilityLabel: isConnected ? 'Settings: Belay' : 'Set up Belay',
  };
  const help = { text: 'Help', actionId: helpActionId, value: encodeValue({}) };
  return [
    divider(),
    actions([
      ...(setUp ? [button(isConnected ? setUp : { ...setUp, style: 'primary' })] : []),
      button({ ...help, accessibilityLabel: 'Help: Belay commands' }),
    ]),
    context(
      `Only you can see this tab. Reopen it to refresh. All commands: ${code('/belay help')}`,
    ),
  ];
}
