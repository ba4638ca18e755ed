import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import { button, type KnownBlock, type Message, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { channelMention, code, mention, safe } from '../../../slack/ui/mrkdwn.ts';
import type { WaitingRequest } from '../../approvals/index.ts';
import type { SetupValues } from '../../workspaces/index.ts';
import type { OwnerCheck } from '../check-setup.ts';
import { listRequests } from './format-setup-change.ts';
import { chooseUnitActionId } from './ids.ts';
import { setupTitle } from './setup-modal.ts';

export const savedBeforeModal: ModalView = noticeModal(setupTitle, [
  section('This form was saved already. It was not saved twice.'),
]);

export const changedMeanwhileModal: ModalView = noticeModal(setupTitle, [
  section(
    'Somebody else saved the setup while this form was open, so nothing of it was saved. Type `/belay setup` to see what is set up now.',
  ),
]);

export const expiredModal: ModalView = noticeModal(setupTitle, [
  section('This form has expired. Nothing was saved. Run `/belay setup` again.'),
]);

/** Refuses a change that would end requests about the admin, where nobody else could approve it. */
export function aboutAdminModal(requests: WaitingRequest[]): ModalView {
  return noticeModal(setupTitle, [
    section(
      'Nothing was saved. This change voids requests that are, or may be, about you, and no other approver or admin is active to approve it. Save it after these requests have ended:',
    ),
    section(listRequests(requests)),
  ]);
}

/** The answer to a request for approval. */
export function requestedModal({ blocks = [] }: Message): ModalView {
  return noticeModal('Setup change', blocks);
}

type Saved = {
  values: SetupValues;
  tokenOwner: string | undefined;
  /** Those to choose from, if none was chosen. */
  units: OrganizationalUnit[];
  owner: OwnerCheck;
  voidedCount: number;
  isConnectionNew: boolean;
  /** Of the approvers and of the admin who saved: those whose address Slack doesn't show. */
  hiddenAddresses: string[];
  /** Where setup was opened. */
  channelId: string | undefined;
};

export function savedModal(saved: Saved): ModalView {
  return noticeModal('Belay is set up', [
    section(summary(saved)),
    ...unitChoice(saved),
    ...ownerNotice(saved),
    ...voidedNotice(saved.voidedCount, saved.isConnectionNew),
    ...hiddenAddressNotice(saved.hiddenAddresses),
    section('Try `/belay alerts`.'),
  ]);
}

function summary({ values }: Saved): string {
  const { organizationalUnitId, unitName, approvalsChannelId } = values;
  const unit = organizationalUnitId
    ? unitName
      ? safe(unitName)
      : code(organizationalUnitId)
    : "the token's own";
  const approvers = values.approvers.map(mention).join(', ') || 'the admins of this workspace';
  const channel = approvalsChannelId ? channelMention(approvalsChannelId) : 'where they are asked';
  return [
    `*Connected to* ${safe(values.regionLabel)}`,
    `*Organizational unit* ${unit}`,
    `*Who decides* ${approvers}`,
    `*Where requests are posted* ${channel}`,
    `*Limits* ${formatLimits(values)}`,
  ].join('\n');
}

function formatLimits({ deleteGraceMinutes: grace, usersPerHour: count }: SetupValues): string {
  const wait =
    grace === 0
      ? 'users are deleted at once'
      : `a delete waits ${minutes(grace)} after its approval`;
  return `${wait}; at most ${count === 1 ? 'one user' : `${count} users`} an hour`;
}

function minutes(count: number): string {
  return count === 1 ? 'a minute' : `${count} minutes`;
}

/** Warns if Belay can't protect the token's owner from being disabled or deleted. */
function ownerNotice({ owner, tokenOwner = '' }: Saved): KnownBlock[] {
  switch (owner) {
    case 'known':
      return [];
    case 'not-named':
      return [section(":warning: No token owner is set, so Belay can't protect that account.")];
    case 'not-checkable':
      return [
        section(
          `:warning: Belay couldn't check whether the token owner ${code(tokenOwner, 255)} exists. Each request checks the token owner again.`,
        ),
      ];
  }
}

function unitChoice({ units, channelId }: Saved): KnownBlock[] {
  if (units.length < 2) return [];
  const choose = button({
    text: 'Choose a unit',
    actionId: chooseUnitActionId,
    value: encodeValue({ channelId }),
  });
  return [section("There are several units. Belay uses the token's own for now.", choose)];
}

function voidedNotice(count: number, isConnectionNew: boolean): KnownBlock[] {
  if (count === 0) return [];
  const which =
    count === 1
      ? 'One waiting request is no longer valid'
      : `${count} waiting requests are no longer valid`;
  return [
    section(`${which}, because the ${isConnectionNew ? 'connection' : 'setup'} has changed.`),
  ];
}

function hiddenAddressNotice(slackUserIds: string[]): KnownBlock[] {
  if (slackUserIds.length === 0) return [];
  const who = slackUserIds.map(mention).join(', ');
  return [
    section(
      `:warning: Slack doesn't show Belay the email address of ${who}. People without an address can't take part in decisions, because Belay can't tell requester, approver and subject apart. Check the scope \`users:read.email\` of the Belay app and the addresses in these profiles.`,
    ),
  ];
}
