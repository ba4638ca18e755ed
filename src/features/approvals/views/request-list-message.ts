import {
  actions,
  type Button,
  button,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { mention, moment, safeName } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { OpenRequest } from '../list/read-open-requests.ts';
import { formatCounts } from './format-approvals.ts';
import { formatTitle } from './format-title.ts';
import { nextRequestsActionId, previousRequestsActionId, refreshRequestsActionId } from './ids.ts';

export const requestsPerPage = 10;

/** `link`: to the message of the request, as mrkdwn. */
type ListedRequest = OpenRequest & { link: string };

type Range = {
  /** The position of the first request of the page, from 0. */
  start: number;
  total: number;
  /** How many of all the reader may decide. */
  decidable: number;
  /** Whether the reader sees all requests or only their own. */
  seesAll: boolean;
};

/** A page of the open requests. */
export function requestListMessage(requests: ListedRequest[], range: Range): Message {
  const { total, seesAll } = range;
  const title = formatListTitle(requests.length, range);
  const top = total === 0 ? `${title}\n${whatIsListed}` : title;
  const lines = requests.map(formatRequest);
  const footer = [
    ...(seesAll ? [] : ["Only approvers and admins see other people's requests."]),
    'Command: `/belay requests`',
  ];
  const blocks: KnownBlock[] = [
    section(top),
    ...lines.map((line) => section(line)),
    actions(pageButtons(requests.length, range)),
    context(footer.join('\n')),
  ];
  return message([top, ...lines].join('\n'), blocks);
}

const whatIsListed = 'Requests appear here until they are completed, denied, withdrawn or expired.';

/** "*12 open requests* · 1-10 of 12 · 3 you can decide" */
function formatListTitle(shown: number, { start, total, decidable, seesAll }: Range): string {
  if (total === 0) return seesAll ? '*No open requests*' : '*You have no open requests*';
  return [
    `*${plural(total, 'open request')}*`,
    ...(shown < total ? [`${start + 1}-${start + shown} of ${total}`] : []),
    ...(decidable > 0 ? [`${decidable} you can decide`] : []),
  ].join(' · ');
}

function formatRequest({ approval, action, isDecidable, link }: ListedRequest): string {
  const { requester, expiresAt, state, wakeAt } = approval;
  const due = state === 'pending' ? `expires ${moment(expiresAt)}` : formatNextStep(wakeAt);
  return [
    `${formatTitle(approval, action)}${isDecidable ? ' · *you can decide*' : ''}`,
    action.summary,
    `requested by ${mention(requester)}`,
    ...formatCounts(approval),
    ...(approval.connectionName ? [`on ${safeName(approval.connectionName)}`] : []),
    due,
    link,
  ].join(' · ');
}

function formatNextStep(wakeAt: Date | undefined): string {
  return wakeAt ? `next step ${moment(wakeAt)}` : 'next step soon';
}

function pageButtons(shown: number, { start, total }: Range): Button[] {
  const page = (text: string, actionId: string, to: number) =>
    button({
      ...{ text, actionId, value: encodeValue({ start: to }) },
      accessibilityLabel: `${text}: open requests`,
    });
  return [
    ...(start > 0
      ? [page('Previous', previousRequestsActionId, Math.max(0, start - requestsPerPage))]
      : []),
    ...(start + shown < total ? [page('Next', nextRequestsActionId, start + shown)] : []),
    page('Refresh', refreshRequestsActionId, start),
  ];
}
