import { thisPlace } from '../../slack/api/channel.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { moment } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { DigestStore } from './store/digest-store.ts';
import { formatFilters, formatSchedule } from './views/format-settings.ts';

/** The digests of a channel. */
export async function describeDigests(
  { teamId, channelId }: { teamId: string; channelId: string },
  { store }: { store: Pick<DigestStore, 'list'> },
): Promise<KnownBlock> {
  const digests = await store.list({ teamId, channelId });
  const [digest] = digests;
  if (!digest) {
    return section(
      `*No digests in ${thisPlace(channelId)}* · a digest is a scheduled summary`,
      commandButton({ text: 'Schedule a digest', line: 'digest new' }),
    );
  }
  const { settings, nextRunAt, pausedReason } = digest;
  const next = pausedReason === undefined ? [`next ${moment(nextRunAt)}`] : [];
  const which =
    digests.length === 1
      ? [formatSchedule(settings), ...next, ...formatFilters(settings)].join(' · ')
      : plural(digests.length, 'digest');
  const paused = digests.filter((one) => one.pausedReason !== undefined).length;
  const state = paused > 0 ? ` (${paused} paused)` : '';
  return section(
    `*Digest in ${thisPlace(channelId)}* · ${which}${state}`,
    commandButton({ text: 'View digests', line: 'digest' }),
  );
}
