import type { Clock } from '../../clock.ts';
import { canPost, isDirectChannel } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { type ResolveDependencies, resolveSearch } from '../alerts/index.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { anchorMs, readAnchor } from './read-anchor.ts';
import type { WatchStore } from './store/watch-store.ts';
import { cannotPostMessage, formatResumed } from './views/watch-notices.ts';
import { maxWatchesPerChannel } from './watch.ts';
import { parseWatchFilter } from './watch-filter.ts';

export type SetUpDependencies = Pick<ResolveDependencies, 'knownValues'> & {
  store: WatchStore;
  openService: OpenService;
  clock: Clock;
  newId: () => string;
};

/** Sets up a watch that begins with the service's newest alert. Returns the answer to the person. */
export async function setUpWatch(
  call: CommandInteraction,
  dependencies: SetUpDependencies,
): Promise<Message> {
  const { store, openService, clock, newId } = dependencies;
  const { teamId, enterpriseId, channelId, person } = call;
  const now = clock();
  const typed = unescapeMrkdwn(call.text);
  const parsed = await resolveSearch(
    teamId,
    (known) => parseWatchFilter(typed, now, known),
    dependencies,
  );
  if ('problem' in parsed) return notice(parsed.problem);
  if (!(await canPost(call))) return cannotPostMessage(isDirectChannel(channelId));
  const service = await openService(teamId);
  if (!service) return notConnected;

  const anchor = await readAnchor(service.client, now, AbortSignal.timeout(anchorMs));
  const { connectionId } = service;
  const { search } = parsed;
  // Before the new watch, so that a paused duplicate posts again when it is reported.
  const resumed = await store.resume({ teamId, channelId, connectionId, anchor, at: now });
  const created = await store.create(
    {
      ...{ id: newId(), teamId, enterpriseId, connectionId, channelId, search },
      ...{ createdBy: person.slackUserId, at: now },
    },
    { anchor, max: maxWatchesPerChannel },
  );
  return notice([answers[created.result], ...formatResumed(resumed)].join('\n'));
}

const answers = {
  created: 'The watch is set up: new alerts that match it are posted here from now on.',
  duplicate: 'There is such a watch here already, so no other was set up.',
  'too-many': `There are ${maxWatchesPerChannel} watches here, and more would be noise, so no other was set up. End one first: ${code('/belay watch')} lists them.`,
};
