import { thisPlace } from '../../../slack/api/channel.ts';
import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { bold, code, mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';

type Counts = { added: number; changed: number; removed: number };

/** Families of sections, with the noun of one item and the command that lists them. */
const families = [
  ['watches', 'watch', 'watch'],
  ['mutes', 'mute', 'mute'],
  ['saved filters', 'saved filter', 'alerts filters'],
  ['digests', 'digest', 'digest'],
] as const;

/** For a channel whose watches, mutes, digests or connection a configuration file has changed. */
export function configurationMessage({
  by,
  channelId,
  count,
  connection,
}: {
  /** Slack user id. */
  by: string;
  channelId: string;
  count: (family: (typeof families)[number][0]) => Counts;
  /** The connection that commands here use now, `default` for the default one; undefined if it stays. */
  connection: string | undefined;
}): Message {
  const changes = families.flatMap(([many, one, command]) => {
    const counts = formatCounts(count(many), one, many);
    return counts ? [{ counts, command }] : [];
  });
  const counts = changes.map((change) => change.counts).join(', ');
  const commands = changes.map(({ command }) => code(`/belay ${command}`)).join(', ');
  const place = thisPlace(channelId);
  const sentences = [
    `${mention(by)} applied a Belay configuration file.`,
    ...(counts ? [`In ${place}: ${counts}.`] : []),
    ...(connection === undefined ? [] : [`Commands in ${place} now use ${describe(connection)}.`]),
    ...(commands ? [`See ${commands}.`] : []),
  ];
  return message([context(sentences.join(' '))]);
}

function describe(connection: string): string {
  return connection === 'default' ? 'the default connection' : `the connection ${bold(connection)}`;
}

function formatCounts(counts: Counts, one: string, many: string): string {
  return (['added', 'changed', 'removed'] as const)
    .flatMap((what) => (counts[what] > 0 ? [`${plural(counts[what], one, many)} ${what}`] : []))
    .join(', ');
}
