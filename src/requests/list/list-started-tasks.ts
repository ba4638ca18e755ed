import { parseEach } from '../../database/parse-rows.ts';
import { subDays } from '../../dates.ts';
import { linkToMessage } from '../../slack/api/post.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Action } from '../action.ts';
import { type Approval, findSent } from '../approval.ts';
import type { RequestContext } from '../request-context.ts';
import { withLinks } from './read-open-requests.ts';
import { seesAllRequests } from './show-requests.ts';

/** A task in which the service makes, or made, the change of a request. `link` is mrkdwn. */
export type StartedTask = { taskId: string; approval: Approval; action: Action; link: string };

export const startedDays = 7;
const maxStarted = 10;

/** The last tasks that Belay started on a connection, the latest first, of requests that the person can see. */
export async function listStartedTasks(
  { teamId, person, slack, settings: readSettings }: Interaction,
  originId: string,
  { store, bind, clock }: RequestContext,
): Promise<StartedTask[]> {
  const requester = seesAllRequests(person, await readSettings()) ? undefined : person.slackUserId;
  const since = subDays(clock(), startedDays);
  const query = { requester, since, limit: maxStarted };
  const found = await store.listWithTask({ teamId, originId }, query);
  const bound = parseEach(found.parsed, (approval) => ({ approval, action: bind(approval) }));
  const tasks = bound.parsed.flatMap(({ approval, action }) => {
    const taskId = findSent(approval.runs[0])?.taskId;
    return taskId === undefined ? [] : [{ taskId, approval, action }];
  });
  return withLinks(tasks, (approval) => linkToMessage(slack, approval, 'View request'));
}
