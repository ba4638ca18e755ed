import { linkToMessage } from '../../../slack/api/post.ts';
import type { Interaction } from '../../../slack/listeners/interaction.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { mayAudit, mayDecide } from '../../workspaces/index.ts';
import { requestListMessage, requestsPerPage } from '../views/request-list-message.ts';
import { type OpenRequestDependencies, readOpenRequests } from './read-open-requests.ts';

/**
 * A page of the open requests, on one connection if it is given, each with a link to its message.
 * `start` is the position of the first one, from 0. Approvers and admins see all requests, as in the
 * audit log; others see their own.
 */
export async function showRequests(
  {
    start: wanted,
    ...call
  }: Pick<Interaction, 'teamId' | 'person' | 'slack' | 'connection'> & { start: number },
  dependencies: OpenRequestDependencies,
): Promise<Message> {
  const { teamId, person, slack, connection } = call;
  const settings = dependencies.readSettings(teamId);
  const readSettings = () => settings;
  const [open, seesAll] = await Promise.all([
    readOpenRequests(call, { ...dependencies, readSettings }),
    settings.then((known) => mayAudit(person, known) || mayDecide(person, known.approvers)),
  ]);
  const visible = open.filter(
    ({ approval }) =>
      (seesAll || approval.requester === person.slackUserId) &&
      (!connection || approval.connectionOriginId === connection.originId),
  );
  const start = wanted < visible.length ? wanted : 0;
  const page = await Promise.all(
    visible.slice(start, start + requestsPerPage).map(async (request) => ({
      ...request,
      link: await linkToMessage(slack, request.approval, 'View request'),
    })),
  );
  const decidable = visible.filter(({ isDecidable }) => isDecidable).length;
  return requestListMessage(page, { start, total: visible.length, decidable, seesAll });
}
