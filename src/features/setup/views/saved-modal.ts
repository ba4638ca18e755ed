import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import type { WaitingRequest } from '../../../requests/list/list-waiting.ts';
import { button, type KnownBlock, type Message, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { bold, code, mention, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { formatLimit, limitNames, limits } from '../../../workspace/limits.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import type { SetupChange, SetupValues } from '../../../workspace/setup-change.ts';
import type { ConnectionTarget } from '../../../workspace/workspace.ts';
import type { OwnerCheck } from '../check-setup.ts';
import type { SlackNotices } from '../find-slack-notices.ts';
import { connectionTitle } from './connection-form.ts';
import {
  changeLines,
  formatApprovers,
  formatChannel,
  formatOwner,
  formatUnit,
  listRequests,
} from './format-setup-change.ts';
import { chooseUnitActionId } from './ids.ts';
import { rolesTitle } from './roles-form.ts';
import { setupTitle } from './setup-modal.ts';

export const savedBeforeModal: ModalView = noticeModal(setupTitle, [
  section('This form was already saved. Nothing else was changed.'),
]);

export const changedMeanwhileModal: ModalView = noticeModal(setupTitle, [
  section(
    'Nothing was saved: somebody else saved the setup while this form was open. To see the current setup, run `/belay setup` or `/belay connection`.',
  ),
]);

export const expiredModal: ModalView = noticeModal(setupTitle, [
  section('This form expired. Nothing was saved. Run the command again.'),
]);

/** Refuses a change that would end requests about the admin, where nobody else could approve it. */
export function aboutAdminModal(requests: WaitingRequest[]): ModalView {
  return noticeModal(setupTitle, [
    section(
      'Nothing was saved. These changes would void requests that are, or may be, about you, and no other approver or admin is active to approve the changes. Try again when these requests have ended:',
    ),
    section(listRequests(requests)),
  ]);
}

/** The answer to a request for approval. */
export function requestedModal({ blocks = [] }: Message): ModalView {
  return noticeModal('Setup change', blocks);
}

type Saved = SlackNotices & {
  values: SetupValues;
  tokenOwner: string | undefined;
  /** Those to choose from, if none was chosen. */
  units: OrganizationalUnit[];
  owner: OwnerCheck;
  voidedCount: number;
  isConnectionNew: boolean;
  /** Whether only the token of the connection changed. */
  isTokenReplaced: boolean;
  /** Where setup was opened. */
  channelId: string | undefined;
};

export function savedModal(saved: Saved): ModalView {
  return noticeModal('Belay is set up', [
    section(summary(saved)),
    ...(saved.isTokenReplaced ? [tokenReplaced] : []),
    ...unitChoice(saved),
    ...ownerNotice(saved),
    ...fewApproversNotice(saved),
    ...voidedNotice(saved.voidedCount, saved.isConnectionNew),
    ...hiddenAddressNotice(saved.hiddenAddresses),
    ...missingScopeNotice(saved.missingEventScopes),
    section('Next: run `/belay alerts`.'),
  ]);
}

const tokenReplaced = section(
  'The API token was replaced. The new token sees the same tenant, so waiting requests, scheduled deletions, watches and digests continue.',
);

/** After a change of nothing but roles, rules and protected users. */
export function accessSavedModal(change: SetupChange, voidedCount: number): ModalView {
  return noticeModal(rolesTitle, [
    section('The changes were saved and are announced to approvers and admins.'),
    ...changeLines(change).map((line) => section(line)),
    ...voidedNotice(voidedCount, false),
  ]);
}

/** After a change of one of several connections. */
export function connectionSavedModal(
  { kind, name, nameBefore }: ConnectionTarget,
  {
    voidedCount,
    isTokenReplaced,
    ...saved
  }: Pick<Saved, 'owner' | 'tokenOwner' | 'voidedCount' | 'isTokenReplaced'>,
): ModalView {
  const shown = bold(name);
  const done = {
    add: `${shown} was added. To use it, add ${code(`on:${name}`)} to a command, or run ${code(`/belay connection use ${name}`)} in a channel.`,
    edit: `${bold(nameBefore ?? name)} was changed.${nameBefore === undefined ? '' : ` Its new name is ${shown}.`}`,
    remove: `${shown} was removed.`,
    make_default: `${shown} is now the default connection.`,
  };
  return noticeModal(connectionTitle, [
    section(done[kind]),
    ...(isTokenReplaced ? [tokenReplaced] : []),
    ...(kind === 'add' || kind === 'edit' ? ownerNotice(saved) : []),
    ...voidedNotice(voidedCount, !isTokenReplaced),
  ]);
}

function summary({ values }: Saved): string {
  return [
    `*Region*: ${safe(values.regionLabel)}`,
    `*Organizational unit*: ${formatUnit(values)}`,
    `*Approvers*: ${formatApprovers(values)}`,
    `*Approvals channel*: ${formatChannel(values)}`,
    ...limitNames.map((name) => `*${limits[name].label}*: ${formatLimit(name, values[name])}`),
  ].join('\n');
}

/** Warns if Belay can't protect the token's owner from being disabled or deleted. */
function ownerNotice({ owner, tokenOwner }: Pick<Saved, 'owner' | 'tokenOwner'>): KnownBlock[] {
  switch (owner) {
    case 'known':
      return [];
    case 'not_named':
      return [
        section(
          ":warning: No token owner is set, so Belay can't refuse to disable or delete that user.",
        ),
      ];
    case 'not_checkable':
      return [
        section(
          `:warning: Not checked: whether the token owner ${formatOwner(tokenOwner)} exists in the service. Each request checks this again.`,
        ),
      ];
  }
}

/** Who the admins are, and how many, is left to `/belay doctor`. */
function fewApproversNotice({ values: { approvers, weakeningApprovals } }: Saved): KnownBlock[] {
  if (approvers.length === 0 || approvers.length >= weakeningApprovals) return [];
  if (approvers.some(isUserGroup)) return [];
  return [
    section(
      `:warning: Weakening a policy requires ${plural(weakeningApprovals, 'approver')}, and only ${approvers.length} ${approvers.length === 1 ? 'is' : 'are'} named, so nobody can approve such a change.`,
    ),
  ];
}

function unitChoice({ units, channelId }: Saved): KnownBlock[] {
  if (units.length < 2) return [];
  const choose = button({
    text: 'Choose unit',
    accessibilityLabel: 'Choose unit: organizational unit of this connection',
    actionId: chooseUnitActionId,
    value: encodeValue({ channelId }),
  });
  return [
    section("Several organizational units are available. Belay uses the token's own.", choose),
  ];
}

function voidedNotice(count: number, isConnectionNew: boolean): KnownBlock[] {
  if (count === 0) return [];
  const voided =
    count === 1 ? '1 waiting request was voided' : `${count} waiting requests were voided`;
  return [section(`${voided}, because the ${isConnectionNew ? 'connection' : 'setup'} changed.`)];
}

function hiddenAddressNotice(slackUserIds: string[]): KnownBlock[] {
  if (slackUserIds.length === 0) return [];
  const who = slackUserIds.map(mention).join(', ');
  return [
    section(
      `:warning: Slack doesn't show Belay the email address of ${who}. People without an address can't request or approve changes. Check the scope \`users:read.email\` of the Belay app and the addresses in these profiles.`,
    ),
  ];
}

function missingScopeNotice(scopes: string[]): KnownBlock[] {
  if (scopes.length === 0) return [];
  return [
    section(
      `:warning: Belay can't answer direct messages and mentions: the bot token lacks ${scopes.map((scope) => code(scope)).join(' and ')}. Install the app again from \`manifest.yml\`.`,
    ),
  ];
}
