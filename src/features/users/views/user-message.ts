import type { User } from '../../../dataprotection/resources/users.ts';
import {
  actions,
  button,
  context,
  fieldSections,
  header,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { code, cutMrkdwn } from '../../../slack/ui/mrkdwn.ts';
import { noValue, unknownFields } from '../../../slack/ui/unknown-fields.ts';
import type { FoundUsers } from '../find-users.ts';
import {
  formatAccess,
  formatState,
  formatTimestamp,
  type RoleAccess,
  userMrkdwn,
  userPlain,
  userTitle,
} from './format-user.ts';
import { requestActionIds, showActionId, type Verb } from './ids.ts';

/** Every field of a user, with the buttons for requests; `access` where the service shows it. */
export function userCard(user: User, access?: RoleAccess[]): Message {
  return message(`${userMrkdwn(user)}: ${formatState(user)}.`, [
    header(userTitle(user)),
    ...fieldSections(userFields(user, access)),
    ...requestBlocks(user),
  ]);
}

function userFields(
  user: User,
  access: RoleAccess[] | undefined,
): { label: string; value: string }[] {
  return [
    { label: 'E-mail', value: code(user.email ?? noValue) },
    { label: 'State', value: formatState(user) },
    { label: 'Confirmed', value: yesNo(user.isConfirmed) },
    ...(access ? [{ label: 'Roles', value: rolesText(access) }] : []),
    { label: 'Last activity', value: formatTimestamp(user.lastActivityTimestamp) },
    { label: 'Invited by (user id)', value: code(user.inviter ?? noValue) },
    { label: 'User id', value: code(user.id) },
    ...unknownFields(user.otherFields, { maxFields: 30, maxLength: 300 }),
  ];
}

function rolesText(access: RoleAccess[]): string {
  return cutMrkdwn(formatAccess(access).join('\n'), 1500) || noValue;
}

function allowedVerbs({ isEnabled }: User): Verb[] {
  if (isEnabled === undefined) return ['disable', 'enable', 'rename', 'delete'];
  return [isEnabled ? 'disable' : 'enable', 'rename', 'delete'];
}

const buttonTexts: Record<Verb, string> = {
  disable: 'Disable…',
  enable: 'Re-enable…',
  rename: 'Rename…',
  delete: 'Delete…',
};

/** No requests about a user whose id is too long for the value of a button. */
function requestBlocks(user: User): KnownBlock[] {
  if (user.id.length > maxIdLength) return [];
  return [
    actions(allowedVerbs(user).map((verb) => requestButton(verb, user))),
    context('Each of these needs the approval of a second person.'),
  ];
}

function requestButton(verb: Verb, user: User) {
  return button({
    text: buttonTexts[verb],
    actionId: requestActionIds[verb],
    value: encodeValue({ userId: user.id }),
    accessibilityLabel: `${buttonTexts[verb]} ${userPlain(user)}`,
    ...(verb === 'delete' ? { style: 'danger' as const } : {}),
  });
}

function yesNo(value: boolean | undefined): string {
  if (value === undefined) return noValue;
  return value ? 'yes' : 'no';
}

const maxShown = 15;

/** The users that a search found, each with a button that shows the user. */
export function userListMessage(query: string, { users, isComplete }: FoundUsers): Message {
  const found = `${users.length === 1 ? '1 user matches' : `${users.length} users match`} ${code(query)}.`;
  const rest = users.length - maxShown;
  const notes = [
    ...(rest > 0
      ? [`${rest} more are not shown: add more of the name or the e-mail address.`]
      : []),
    ...(isComplete ? [] : ['The service was slow, so not all users were looked through.']),
  ];
  const shown = users.slice(0, maxShown);
  const lines = shown.map((user) => `${userMrkdwn(user)}: ${formatState(user)}.`);
  return message([found, ...notes, ...lines].join('\n'), [
    section(found),
    ...shown.map((user) => section(`${userMrkdwn(user)}\n${formatState(user)}`, showButton(user))),
    ...(notes.length > 0 ? [context(notes.join(' '))] : []),
  ]);
}

function showButton(user: User) {
  if (user.id.length > maxIdLength) return undefined;
  return button({
    text: 'Show',
    actionId: showActionId,
    value: encodeValue({ userId: user.id }),
    accessibilityLabel: `Show ${userPlain(user)}`,
  });
}

export function noUserMessage(query: string): Message {
  return notice(
    `No user matches ${code(query)}. Try part of the name or of the e-mail address, or the user id.`,
  );
}
