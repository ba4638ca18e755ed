import type { Clock } from '../../clock.ts';
import { canPost } from '../../slack/api/channel.ts';
import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { listAllPolicies } from '../compliance/index.ts';
import {
  type ChangeRights,
  notConnected,
  type OpenService,
  readMayChange,
} from '../workspaces/index.ts';
import type { PolicyWatchStore } from './store/policy-watch-store.ts';
import {
  alreadyWatchedMessage,
  cannotPostPoliciesMessage,
  endedMessage,
  notListedMessage,
  notWatchedMessage,
  notYoursMessage,
  startedMessage,
} from './views/watch-messages.ts';

type Dependencies = ChangeRights & {
  policyWatches: Pick<PolicyWatchStore, 'start' | 'find' | 'end'>;
  openService: OpenService;
  clock: Clock;
};

/** How long a person waits for the answer whether the service lists policies. */
const listMs = 8000;

/** `/belay watch policies` and `/belay watch policies off`. @throws {ServiceError} */
export async function watchPolicies(
  call: CommandInteraction,
  { isOff }: { isOff: boolean },
  dependencies: Dependencies,
): Promise<Message> {
  const { policyWatches, openService, clock } = dependencies;
  const { teamId, channelId, person } = call;
  if (isOff) return endWatch(call, dependencies);
  if (!(await canPost(call))) return cannotPostPoliciesMessage;
  const service = await openService(teamId);
  if (!service) return notConnected;
  const signal = AbortSignal.timeout(listMs);
  if (!(await listAllPolicies(service.client, signal))) return notListedMessage;
  const watch = { teamId, channelId };
  const result = await policyWatches.start(watch, { by: person.slackUserId, at: clock() });
  return result === 'started' ? startedMessage : alreadyWatchedMessage;
}

async function endWatch(
  { teamId, channelId, person }: CommandInteraction,
  dependencies: Dependencies,
): Promise<Message> {
  const { policyWatches } = dependencies;
  const found = await policyWatches.find({ teamId, channelId });
  if (!found) return notWatchedMessage;
  const mayChange = await readMayChange(teamId, person, dependencies);
  if (!mayChange(found)) return notYoursMessage;
  await policyWatches.end({ teamId, channelId });
  return endedMessage;
}
