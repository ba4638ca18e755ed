import { thisPlace } from '../../slack/api/channel.ts';
import { code, moment } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import type { DigestStore } from './store/digest-store.ts';
import { formatFilters, formatSchedule } from './views/format-settings.ts';

/** The digests of a channel, as one line of mrkdwn. */
export async function describeDigests(
  { teamId, channelId }: { teamId: string; channelId: string },
  { store }: { store: Pick<DigestStore, 'list'> },
): Promise<string> {
  const digests = await store.list({ teamId, channelId });
  const [digest] = digests;
  if (!digest)
    return `*No digests in ${thisPlace(channelId)}* · ${code('/belay digest new')} schedules one`;
  const next = digest.nextRunAt ? ` · next ${moment(digest.nextRunAt)}` : '';
  const which =
    digests.length === 1
      ? [`${formatSchedule(digest.settings)}${next}`, ...formatFilters(digest.settings)].join(' · ')
      : plural(digests.length, 'digest');
  return `*Digest in ${thisPlace(channelId)}* · ${which} · ${code('/belay digest')}`;
}
