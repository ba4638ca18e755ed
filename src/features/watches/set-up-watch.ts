import type { Clock } from '../../clock.ts';
import { canPost, isDirectChannel } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import type { SeenValues } from '../alerts/index.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import { cannotPostMessage, resumedLine, watchSetUpMessage } from './views/watch-notice-message.ts';
import { maxWatchesPerChannel } from './watch.ts';
import { parseWatchFilter } from './watch-filter.ts';
import type { WatchStore } from './watch-store.ts';

export type SetUpDependencies = {
  store: WatchStore;
  openService: OpenService;
  seen: SeenValues;
  clock: Clock;
  newId: () => string;
};

/** Sets up a watch that begins with what the service has now; the result is what the person is told. */
export async function setUpWatch(
  call: CommandInteraction,
  { store, openService, seen, clock, newId }: SetUpDependencies,
): Promise<Message> {
  const { teamId, enterpriseId, channelId, person } = call;
  const now = clock();
  const parsed = parseWatchFilter(unescapeMrkdwn(call.text), now, seen.of(teamId));
  if ('problem' in parsed) return notice(parsed.problem);
  if (!(await canPost(call))) return cannotPostMessage(isDirectChannel(channelId));
  const service = await openService(teamId);
  if (!service) return notConnected;

  const anchor = await readAnchor(service.client, now, AbortSignal.timeout(anchorMs));
  const { connectionId } = service;
  const { search } = parsed;
  // First of all, so that none that shows the same is taken for one that posts.
  const resumed = await store.resume({ teamId, channelId, connectionId, anchor, at: now });
  const created = await store.create(
    {
      ...{ id: newId(), teamId, enterpriseId, connectionId, channelId, search },
      ...{ createdBy: person.slackUserId, at: now },
    },
    {
      anchor,
      tell: (watch) => ({
        subject: `watch:${watch.id}`,
        message: watchSetUpMessage(watch, now),
      }),
      atMost: maxWatchesPerChannel,
    },
  );
  return notice([resultWords[created.result], ...resumedLine(resumed)].join('\n'));
}

const resultWords = {
  created: 'The watch is set up: new alerts that match it are posted here from now on.',
  duplicate: 'There is such a watch here already, so no other was set up.',
  'too-many': `There are ${maxWatchesPerChannel} watches here, and more would be noise, so no other was set up. End one first: ${code('/belay watch')} lists them.`,
};
