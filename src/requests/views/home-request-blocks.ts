import {
  actionsIfAny,
  context,
  header,
  type KnownBlock,
  section,
  withoutCharts,
} from '../../slack/ui/blocks.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Approval } from '../approval.ts';
import type { OpenRequest } from '../list/read-open-requests.ts';
import { decidersOf } from '../rules/requirements.ts';
import {
  approverButtons,
  decidedButtons,
  messagePlace,
  withdrawButton,
} from './approval-buttons.ts';
import { approvalMessage } from './approval-message.ts';
import { formatNeeds } from './format-rule.ts';
import { formatConnection, formatDue, formatTitle } from './format-title.ts';
import { formatOmitted, type Omitted, recentTitle } from './request-list-message.ts';

export const maxDecidable = 4;
export const maxOwn = 5;
/** A Home tab has 100 blocks at most, for everything. */
const maxCardBlocks = 12;

type Options = {
  /** To the messages of the requests, by id: mrkdwn. */
  links: ReadonlyMap<string, string>;
  settings: Pick<WorkspaceSettings, 'approvers'>;
};

/** The requests that a person can decide, as in their channel, the person's own, then recent ones. */
export function homeRequestBlocks(
  {
    decidable,
    own,
    recent = '',
    omitted,
  }: {
    decidable: OpenRequest[];
    own: OpenRequest[];
    /** As `formatRecent` writes them. */
    recent?: string;
    omitted?: Omitted | undefined;
  },
  options: Options,
): KnownBlock[] {
  const left = omitted ? formatOmitted(omitted) : [];
  return [
    header(
      decidable.length > 0
        ? `Waiting for your decision (${decidable.length})`
        : 'Waiting for your decision',
    ),
    ...(decidable.length === 0 ? [section('No requests are waiting for your decision.')] : []),
    ...decidable
      .slice(0, maxDecidable)
      .flatMap((one) => cardBlocks(one, { ...options, isOnly: decidable.length === 1 })),
    ...moreBlocks(decidable.length - maxDecidable),
    header(own.length > 0 ? `Your open requests (${own.length})` : 'Your open requests'),
    ...(own.length === 0 ? [section('You have no open requests.')] : []),
    ...own.slice(0, maxOwn).flatMap((one) => ownBlocks(one, options)),
    ...moreBlocks(own.length - maxOwn),
    ...(recent ? [header(recentTitle), section(recent)] : []),
    ...(left.length > 0 ? [context(left.join('\n'))] : []),
  ];
}

function moreBlocks(left: number): KnownBlock[] {
  return left > 0 ? [context(`${left} more · ${code('/belay requests')}`)] : [];
}

/**
 * All that the decision rests on: the message in the channel without its title. Of its buttons only
 * those that decide, because the others answer below a message.
 */
function cardBlocks(
  { approval, action }: OpenRequest,
  { links, settings, isOnly }: Options & { isOnly: boolean },
) {
  const { blocks = [] } = approvalMessage(approval, action, decidersOf(approval, action, settings));
  const facts = withoutCharts(blocks).filter(({ type }) => type !== 'header' && type !== 'actions');
  const title = [capitalize(action.summary), ...factsOf(approval, links)];
  const place = { ...messagePlace(approval), isPrimary: isOnly };
  const isCut = facts.length > maxCardBlocks;
  return [
    section(title.join(' · ')),
    ...facts.slice(0, maxCardBlocks),
    // Nobody decides about what is not shown.
    ...(isCut
      ? [context('This request is too long to show here. View the request to decide.')]
      : actionsIfAny(approverButtons(approval, action, place))),
  ];
}

function ownBlocks({ approval, action }: OpenRequest, { links }: Options): KnownBlock[] {
  const facts = [
    capitalize(action.summary),
    formatTitle(approval, action),
    ...formatNeeds(approval),
    ...formatDue(approval),
    ...factsOf(approval, links),
  ];
  const buttons =
    approval.state === 'pending'
      ? [withdrawButton(approval, action)]
      : decidedButtons(approval, action);
  return [section(facts.join(' · ')), ...actionsIfAny(buttons)];
}

function factsOf(approval: Approval, links: Options['links']): string[] {
  const link = links.get(approval.id);
  return [...formatConnection(approval), ...(link ? [link] : [])];
}
