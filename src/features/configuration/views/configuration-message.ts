import { thisPlace } from '../../../slack/api/channel.ts';
import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { bold, code, mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';

type Counts = { added: number; changed: number; removed: number };

/** For a channel whose watches, mutes, digests or connection a configuration file has changed. */
export function configurationMessage({
  by,
  channelId,
  watches,
  mutes,
  savedFilters,
  digests,
  connection,
}: {
  /** Slack user id. */
  by: string;
  channelId: string;
  watches: Counts;
  mutes: Counts;
  savedFilters: Counts;
  digests: Counts;
  /** The connection that commands here use now, `default` for the default one; undefined if it stays. */
  connection: string | undefined;
}): Message {
  const changes = [
    ...countLines(watches, 'watch', 'watches'),
    ...countLines(mutes, 'mute', 'mutes'),
    ...countLines(savedFilters, 'saved filter', 'saved filters'),
    ...countLines(digests, 'digest', 'digests'),
  ];
  const place = thisPlace(channelId);
  const sentences = [
    `${mention(by)} applied a Belay configuration file.`,
    ...(changes.length > 0 ? [`In ${place}: ${changes.join(', ')}.`] : []),
    ...(connection === undefined ? [] : [`Commands in ${place} now use ${describe(connection)}.`]),
  ];
  const commands = [
    [watches, 'watch'],
    [mutes, 'mute'],
    [savedFilters, 'alerts filters'],
    [digests, 'digest'],
  ] as const;
  const see = commands.flatMap(([counts, line]) =>
    hasChanged(counts) ? [code(`/belay ${line}`)] : [],
  );
  if (see.length > 0) sentences.push(`See ${see.join(', ')}.`);
  return message([context(sentences.join(' '))]);
}

function hasChanged({ added, changed, removed }: Counts): boolean {
  return added + changed + removed > 0;
}

function describe(connection: string): string {
  return connection === 'default' ? 'the default connection' : `the connection ${bold(connection)}`;
}

function countLines({ added, changed, removed }: Counts, one: string, many: string): string[] {
  const counts: [number, string][] = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ];
  return counts.flatMap(([count, what]) =>
    count > 0 ? [`${plural(count, one, many)} ${what}`] : [],
  );
}
