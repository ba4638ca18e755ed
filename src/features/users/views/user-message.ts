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
import type { Access } from '../user-access.ts';
import {
  accessTexts,
  stateText,
  timestampText,
  userMrkdwn,
  userPlain,
  userTitle,
} from './format-user.ts';
import { askActionIds, showActionId, type Verb } from './ids.ts';

/** Every field of a user and what can be asked for; `access` where a service tells it. */
export function userCard(user: User, access?: Access[]): Message {
  return message(`${userMrkdwn(user)}: ${stateText(user)}.`, [
    header(userTitle(user)),
    ...fieldSections(userFields(user, access)),
    ...askBlocks(user),
  ]);
}

function userFields(user: User, access: Access[] | undefined): { label: string; value: string }[] {
  return [
    { label: 'E-mail', value: code(user.email ?? noValue) },
    { label: 'State', value: stateText(user) },
    { label: 'Confirmed', value: yesNo(user.isConfirmed) },
    ...(access ? [{ label: 'Roles', value: rolesText(access) }] : []),
    { label: 'Last activity', value: timestampText(user.lastActivityTimestamp) },
    { label: 'Invited by (user id)', value: code(user.inviter ?? noValue) },
    { label: 'User id', value: code(user.id) },
    ...unknownFields(user.otherFields, { maxFields: 30, maxLength: 300 }),
  ];
}

function rolesText(access: Access[]): string {
  return cutMrkdwn(accessTexts(access).join('\n'), 1500) || noValue;
}

function askable({ isEnabled }: User): Verb[] {
  if (isEnabled === undefined) return ['disable', 'enable', 'rename', 'delete'];
  return [isEnabled ? 'disable' : 'enable', 'rename', 'delete'];
}

const askTexts: Record<Verb, string> = {
  disable: 'Disable…',
  enable: 'Re-enable…',
  rename: 'Rename…',
  delete: 'Delete…',
};

/** Nothing can be asked for a user whose id no button can carry. */
function askBlocks(user: User): KnownBlock[] {
  if (user.id.length > maxIdLength) return [];
  return [
    actions(askable(user).map((verb) => askButton(verb, user))),
    context('Each of these needs the approval of a second person.'),
  ];
}

function askButton(verb: Verb, user: User) {
  return button({
    text: askTexts[verb],
    actionId: askActionIds[verb],
    value: encodeValue({ userId: user.id }),
    accessibilityLabel: `${askTexts[verb]} ${userPlain(user)}`,
    ...(verb === 'delete' ? { style: 'danger' as const } : {}),
  });
}

function yesNo(value: boolean | undefined): string {
  if (value === undefined) return noValue;
  return value ? 'yes' : 'no';
}

const maxShown = 15;

/** The users a search found, each with a way to its card. */
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
  const lines = shown.map((user) => `${userMrkdwn(user)}: ${stateText(user)}.`);
  return message([found, ...notes, ...lines].join('\n'), [
    section(found),
    ...shown.map((user) => section(`${userMrkdwn(user)}\n${stateText(user)}`, showButton(user))),
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
