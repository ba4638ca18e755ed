import type { Clock } from '../../clock.ts';
import { type Message, notice } from '../../slack/blocks.ts';
import type { CommandCall } from '../../slack/call.ts';
import { isDirectChannel } from '../../slack/channel.ts';
import { code, unescapeMrkdwn } from '../../slack/mrkdwn.ts';
import { notConnected, type OpenService } from '../workspaces/workspaces.ts';
import { canPost } from './can-post.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import { mostWatchesOfChannel } from './watch.ts';
import { parseWatchFilter } from './watch-filter.ts';
import { cannotPostMessage, watchSetUpMessage } from './watch-notice-message.ts';
import type { WatchStore } from './watch-store.ts';

export type SetUpDependencies = {
  store: WatchStore;
  openService: OpenService;
  clock: Clock;
  newId: () => string;
};

/** Sets up a watch that begins with what the service has now; the result is what the person is told. */
export async function setUpWatch(
  call: CommandCall,
  { store, openService, clock, newId }: SetUpDependencies,
): Promise<Message> {
  const { teamId, enterpriseId, channelId, person } = call;
  const now = clock();
  const parsed = parseWatchFilter(unescapeMrkdwn(call.text), now);
  if ('problem' in parsed) return notice(parsed.problem);
  if (!(await canPost(call))) return cannotPostMessage(isDirectChannel(channelId));
  const service = await openService(teamId);
  if (!service) return notConnected;

  const anchor = await readAnchor(service.client, now, AbortSignal.timeout(anchorMs));
  const { connectionId } = service;
  const { search } = parsed;
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
      atMost: mostWatchesOfChannel,
    },
  );
  switch (created.result) {
    case 'created':
      return notice('The watch is set up: new alerts that it means are posted here from now on.');
    case 'duplicate':
      return notice('There is such a watch here already. Nothing was changed.');
    case 'too-many':
      return notice(
        `There are ${mostWatchesOfChannel} watches here, and more would be noise. Nothing was changed. End one first: ${code('/belay watch')} lists them.`,
      );
  }
}
