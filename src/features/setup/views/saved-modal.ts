import type { OrganizationalUnit } from '../../../dataprotection/resources/organizational-units.ts';
import type { WaitingRequest } from '../../../requests/list/list-waiting.ts';
import { type KnownBlock, type Message, section } from '../../../slack/ui/blocks.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { bold, code, mention } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import type { SetupChange } from '../../../workspace/setup-change.ts';
import type { ConnectionTarget } from '../../../workspace/workspace.ts';
import type { OwnerCheck } from '../check-setup.ts';
import { connectionTitle } from './connection-form.ts';
import { changeLines, formatOwner, listRequests } from './format-setup-change.ts';
import { rolesTitle } from './roles-form.ts';
import { type Overview, setupTitle } from './setup-modal.ts';

export const savedBeforeModal: ModalView = noticeModal(
  setupTitle,
  'This form was already saved. Nothing else was changed.',
);

export const changedMeanwhileModal: ModalView = noticeModal(
  setupTitle,
  'Nothing was saved: somebody else saved the setup while this form was open. To see the current setup, run `/belay setup` or `/belay connection`.',
);

export const expiredModal: ModalView = noticeModal(
  setupTitle,
  'This form expired. Nothing was saved. Run the command again.',
);

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

/** What is said about a change that was saved, above the settings as they are now. */
export type Saved = {
  /**
   * The people whose email address Slack doesn't show: they can't take part in a decision. If Slack
   * shows no address at all, the app probably lacks the scope `users:read.email`.
   * https://docs.slack.dev/reference/scopes/users.read.email
   */
  hiddenAddresses: string[];
  /** The scopes of events that the app lacks until it is installed again. */
  missingEventScopes: string[];
  /** Those to choose from, if none was chosen. */
  units?: OrganizationalUnit[] | undefined;
  /** Undefined if the change wasn't about the connection. */
  owner?: OwnerCheck | undefined;
  voidedCount: number;
  /** Whether only the token of the connection changed. */
  isTokenReplaced?: boolean | undefined;
};

export function savedNotices(
  saved: Saved,
  { settings, connection, isFinishing }: Overview,
): KnownBlock[] {
  const { units = [], owner, voidedCount, isTokenReplaced } = saved;
  return [
    section(
      `:white_check_mark: Saved.${isFinishing ? ' To see what is alerting, run `/belay alerts`.' : ''}`,
    ),
    ...(isTokenReplaced ? [tokenReplaced] : []),
    ...(units.length > 1 ? [unitChoice] : []),
    ...ownerNotice(owner, connection.tokenOwner),
    ...fewApproversNotice(settings),
    ...voidedNotice(voidedCount),
    ...hiddenAddressNotice(saved.hiddenAddresses),
    ...missingScopeNotice(saved.missingEventScopes),
  ];
}

const tokenReplaced = section(
  'The API token was replaced. The new token sees the same tenant, so pending requests, scheduled deletions, watches, mutes, digests and restore drills continue.',
);

/** After a change of nothing but roles, rules and protected users. */
export function accessSavedModal(change: SetupChange, voidedCount: number): ModalView {
  return noticeModal(rolesTitle, [
    section('The changes were saved and are announced to approvers and admins.'),
    ...changeLines(change).map((line) => section(line)),
    ...voidedNotice(voidedCount),
  ]);
}

/** After a change of one of several connections. */
export function connectionSavedModal(
  { kind, name, nameBefore }: ConnectionTarget,
  {
    owner,
    tokenOwner,
    voidedCount,
    isTokenReplaced,
  }: Pick<Saved, 'owner' | 'voidedCount' | 'isTokenReplaced'> & { tokenOwner: string | undefined },
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
    ...(kind === 'add' || kind === 'edit' ? ownerNotice(owner, tokenOwner) : []),
    ...voidedNotice(voidedCount),
  ]);
}

/** Warns if Belay can't protect the token's owner from being disabled or deleted. */
function ownerNotice(owner: OwnerCheck | undefined, tokenOwner: string | undefined): KnownBlock[] {
  switch (owner) {
    case undefined:
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
function fewApproversNotice({ approvers, weakeningApprovals }: WorkspaceSettings): KnownBlock[] {
  if (approvers.length === 0 || approvers.length >= weakeningApprovals) return [];
  if (approvers.some(isUserGroup)) return [];
  return [
    section(
      `:warning: Weakening a policy requires ${plural(weakeningApprovals, 'approver')}, and only ${approvers.length} ${approvers.length === 1 ? 'is' : 'are'} named, so nobody can approve such a change.`,
    ),
  ];
}

const unitChoice = section(
  "Several organizational units are available. Belay uses the token's own. To choose another, edit the connection.",
);

function voidedNotice(count: number): KnownBlock[] {
  if (count === 0) return [];
  const requests = plural(count, 'pending or scheduled request');
  const voided = `${requests} ${count === 1 ? 'was' : 'were'} voided`;
  return [section(`${voided}, because the setup changed.`)];
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
