import type { Person } from '../../slack/api/person.ts';
import { linkToMessage } from '../../slack/api/post.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { shownRights } from '../../workspace/permissions.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Approval } from '../approval.ts';
import { listUnreviewed } from '../break-glass/review-runs.ts';
import { maxListedReviews } from '../break-glass/views/review-blocks.ts';
import type { Decision, Decisions } from '../decisions.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestPage } from '../views/ids.ts';
import {
  formatOwnDecision,
  formatRecent,
  requestListMessage,
  requestsPerPage,
} from '../views/request-list-message.ts';
import { readOpenRequests, readRecentRequests, withLinks } from './read-open-requests.ts';

type ListReader = Pick<Interaction, 'teamId' | 'person' | 'slack' | 'connection' | 'settings'>;

/**
 * A page of the open requests, on one connection if it is given, each with a link to its message.
 * Approvers and admins see all requests, as in the audit log; others see their own, and those that wait
 * for them by a rule. `outcome`: of what the reader just did in the list, mrkdwn.
 */
export async function showRequests(
  {
    page: { start: wanted, filter, by },
    outcome,
    ...call
  }: ListReader & {
    page: RequestPage;
    outcome?: string | undefined;
  },
  context: RequestContext,
): Promise<Message> {
  const { person, slack, connection } = call;
  const hasRecent = wanted === 0 && filter !== 'waiting' && !by;
  const [{ open, ...omitted }, unreviewed, recent, settings] = await Promise.all([
    readOpenRequests(call, context),
    listUnreviewed(call, context),
    hasRecent ? readRecentRequests(call, context) : [],
    call.settings(),
  ]);
  const isApprover = shownRights.isApprover(person, settings);
  const seesAll = seesAllRequests(person, settings);
  const visible = open.filter(
    ({ approval, group }) =>
      (seesAll || group !== 'other') &&
      (filter === 'all' || filter === group) &&
      (!by || approval.requester === by) &&
      (!connection || approval.connectionOriginId === connection.originId),
  );
  const start = wanted < visible.length ? wanted : 0;
  const listed = unreviewed.filter(
    ({ approval, isMine }) =>
      (isMine || (seesAll && filter === 'all')) &&
      (!by || approval.requester === by) &&
      filter !== 'mine' &&
      (!connection || approval.connectionOriginId === connection.originId),
  );
  const reviews = await Promise.all(
    (start === 0 ? listed : []).map(async (run, index) => ({
      ...run,
      link: index < maxListedReviews ? await linkToMessage(slack, run.approval, 'View run') : '',
    })),
  );
  const linkTo = (approval: Approval) => linkToMessage(slack, approval, 'View request');
  const requests = await withLinks(visible.slice(start, start + requestsPerPage), linkTo);
  const ended = await withLinks(recent, linkTo);
  const waiting = visible.filter(({ group }) => group === 'waiting').length;
  const range = { start, filter, by, total: visible.length, waiting, seesAll, isApprover, omitted };
  return requestListMessage(requests, range, {
    outcome,
    reviews,
    recent: formatRecent(ended, person.slackUserId),
  });
}

export type DecideInListInput = ListReader & {
  approvalId: string;
  to: Decision;
  reason?: string | undefined;
  page: RequestPage;
};

/** Decides or cancels a request of a list, and resolves to the list as it is then, with the outcome. */
export async function decideInList(
  { approvalId, to, reason, page, ...reader }: DecideInListInput,
  decide: Decisions['decide'],
  context: RequestContext,
): Promise<Message> {
  const { teamId, person } = reader;
  const { store, bind, log } = context;
  const refusal = await decide({ teamId, person, approvalId, to, reason });
  const decided = refusal ? undefined : await store.find({ teamId, id: approvalId });
  const outcome = decided ? formatOwnDecision(decided, bind(decided), to) : refusal?.text;
  return showRequests({ ...reader, page, outcome }, context).catch((error: unknown) => {
    // The outcome of the request must not be lost because the list can't be rendered.
    if (!outcome) throw error;
    log.error({ teamId, err: error }, "couldn't show the requests after a decision");
    return notice(outcome);
  });
}

/** Whether the person sees others' requests too: approvers, auditors and admins do. */
export function seesAllRequests(person: Person, settings: WorkspaceSettings): boolean {
  return (
    shownRights.mayDecide(person, settings.approvers) || shownRights.mayAudit(person, settings)
  );
}
