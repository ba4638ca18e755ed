import {
  actions,
  actionsIfAny,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../slack/ui/blocks.ts';
import { mention, moment, quote } from '../../slack/ui/mrkdwn.ts';
import { pagesAround } from '../../slack/ui/pager.ts';
import { capitalize, plural } from '../../slack/ui/words.ts';
import { listedReviewBlocks, type UnreviewedRun } from '../break-glass/views/review-blocks.ts';
import type { Decision } from '../decisions.ts';
import type { OpenRequest, RecentRequest } from '../list/read-open-requests.ts';
import { maxOpen } from '../timings.ts';
import {
  approverButtons,
  type ButtonPlace,
  cancelButtons,
  withdrawButton,
} from './approval-buttons.ts';
import { formatMissing } from './format-approvals.ts';
import { formatNeeds } from './format-rule.ts';
import { formatConnection, formatDue, formatTitle } from './format-title.ts';
import { listDecisionIds, type RequestPage, requestPager } from './ids.ts';
import { formatCheck, shownChecks } from './request-facts.ts';

export const requestsPerPage = 10;

/** `link`: to the message of the request, as mrkdwn. */
type ListedRequest = OpenRequest & { link: string };

type Range = RequestPage & {
  total: number;
  /** How many of all wait for the reader's decision. */
  waiting: number;
  /** Whether the reader sees all requests or only their own. */
  seesAll: boolean;
  /** Whether the setup names the reader as an approver. */
  isApprover?: boolean;
  omitted?: Omitted | undefined;
};

/** `isCut`: there are more than are read. `unreadable`: how many Belay can't read. */
export type Omitted = { isCut: boolean; unreadable: number };

/** What a list of open requests leaves out, as lines of mrkdwn. */
export function formatOmitted({ isCut, unreadable }: Omitted): string[] {
  return [
    ...(isCut ? [`Belay lists ${maxOpen} open requests at most.`] : []),
    ...(unreadable > 0
      ? [`Belay can't read ${plural(unreadable, 'open request')}. Admins: \`/belay doctor\``]
      : []),
  ];
}

/**
 * A page of the open requests, below the runs that need review and the outcome of what the reader just
 * did in it; at the end the recent ones. `outcome` and `recent` are mrkdwn.
 */
export function requestListMessage(
  requests: ListedRequest[],
  range: Range,
  {
    outcome,
    reviews = [],
    recent,
  }: { outcome?: string | undefined; reviews?: UnreviewedRun[]; recent?: string } = {},
): Message {
  const { total, seesAll, filter, start, by } = range;
  const title = formatListTitle(requests.length, range);
  const summary = total === 0 && filter !== 'waiting' ? `${title}\n${whatIsListed}` : title;
  const footer = [
    ...(range.omitted ? formatOmitted(range.omitted) : []),
    ...(seesAll || filter !== 'all'
      ? []
      : ["Only approvers, auditors and admins can see other people's requests."]),
    by
      ? `Command: \`/belay requests\` ${mention(by)}`
      : `Command: \`/belay requests${filter === 'all' ? '' : ` ${filter}`}\``,
  ];
  return message([
    ...(outcome ? [section(outcome)] : []),
    ...listedReviewBlocks(reviews, { start, filter, by }),
    section(summary),
    ...requests.flatMap((request, index) => [
      ...(filter === 'all' && request.group !== requests[index - 1]?.group
        ? [section(`*${groupTitles[request.group]}*`)]
        : []),
      ...requestBlocks(request, range),
    ]),
    ...(recent ? [section(`*${recentTitle}*\n${recent}`)] : []),
    actions(
      requestPager.buttons(pagesAround({ start, filter, by }, { total, perPage: requestsPerPage })),
    ),
    context(footer.join('\n')),
  ]);
}

/** Of what the reader requested or decided. */
export const recentTitle = 'Recent requests';

/** A line of mrkdwn for each: "✅ Completed · Disable Kim Lee · requested by @Ana · today at 9:41 AM". */
export function formatRecent(
  recent: readonly (RecentRequest & { link: string })[],
  readerId: string,
): string {
  return recent
    .map(({ approval, action, link }) => {
      const { requester, requestedAt, decidedAt = requestedAt, finishedAt = decidedAt } = approval;
      return [
        formatTitle(approval, action),
        capitalize(action.summary),
        ...(requester === readerId ? [] : [`requested by ${mention(requester)}`]),
        moment(finishedAt),
        link,
      ].join(' · ');
    })
    .join('\n');
}

const whatIsListed = 'Requests appear here until they are completed, denied, withdrawn or expired.';

const groupTitles: Record<OpenRequest['group'], string> = {
  waiting: 'Waiting for your decision',
  mine: 'Your requests',
  other: 'Other requests',
};

/** "*12 open requests* · 1-10 of 12 · 3 you can decide" */
function formatListTitle(
  shown: number,
  { start, filter, by, total, waiting, seesAll, isApprover = true }: Range,
): string {
  if (total === 0) {
    if (by) return `*No open requests by* ${mention(by)}`;
    if (filter === 'waiting') {
      const why = isApprover ? '' : "\nYou aren't an approver in this workspace.";
      return `*No requests are waiting for your decision*${why}`;
    }
    return filter === 'all' && seesAll ? '*No open requests*' : '*You have no open requests*';
  }
  return [
    filter === 'all'
      ? `*${plural(total, 'open request')}*${by ? ` by ${mention(by)}` : ''}`
      : `*${groupTitles[filter]}: ${total}*`,
    ...(shown < total ? [`${start + 1}-${start + shown} of ${total}`] : []),
    ...(waiting > 0 && filter === 'all' ? [`${waiting} you can decide`] : []),
  ].join(' · ');
}

function formatRequest({ approval, action, link }: ListedRequest): string {
  return [
    capitalize(action.summary),
    formatTitle(approval, action),
    `requested by ${mention(approval.requester)}`,
    ...formatNeeds(approval),
    ...formatConnection(approval),
    ...formatDue(approval),
    link,
  ].join(' · ');
}

/** Of the changes of one request, in characters: longer ones are approved where they are shown. */
const maxChanges = 1500;
const maxReason = 300;

/** A request that the reader can decide comes with what the decision rests on. */
function requestBlocks(request: ListedRequest, { start, filter, by }: Range): KnownBlock[] {
  const { approval, action, group, isCancelable } = request;
  const place: ButtonPlace = {
    ids: listDecisionIds,
    value: { approvalId: approval.id, page: { start, filter, by } },
    isPrimary: false,
  };
  const line = formatRequest(request);
  if (group !== 'waiting') {
    const buttons = [
      ...(group === 'mine' && approval.state === 'pending'
        ? [withdrawButton(approval, action, place)]
        : []),
      ...(isCancelable ? cancelButtons(approval, action, place) : []),
    ];
    return [section(line), ...actionsIfAny(buttons)];
  }
  const unmade = shownChecks(approval.runs, action)
    .filter(({ result }) => result !== 'passed')
    .map(formatCheck);
  const changes = action.changes().join('\n');
  const isShown = changes.length <= maxChanges;
  const buttons = approverButtons(approval, action, place);
  return [
    section([line, ...unmade, quote(approval.reason, maxReason)].join('\n')),
    ...(changes ? [section(isShown ? changes : tooLong)] : []),
    actions(isShown ? buttons : buttons.filter((one) => one.action_id === listDecisionIds.deny)),
  ];
}

const tooLong = 'The changes are too long for this list. View the request to approve it.';

/** What the reader of the list just did with a request: mrkdwn. */
export function formatOwnDecision(
  approval: OpenRequest['approval'],
  { summary }: OpenRequest['action'],
  decision: Decision,
): string {
  switch (decision) {
    case 'approved':
      return [
        `✅ You approved the request to ${summary}.`,
        ...(approval.state === 'pending' ? [`Waiting for ${formatMissing(approval)}.`] : []),
      ].join(' ');
    case 'denied':
      return `⛔ You denied the request to ${summary}. Nothing was changed.`;
    case 'withdrawn':
      return `↩ You withdrew your request to ${summary}. Nothing was changed.`;
    case 'aborted':
      return `🔄 Belay asked the service to stop: ${summary}.`;
    case 'canceled':
      return `🔄 Belay is canceling the request to ${summary}.`;
  }
}
