import type { User } from '../../../dataprotection/resources/users.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
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
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { code, cutMrkdwn, moment, safeName } from '../../../slack/ui/mrkdwn.ts';
import { type Field, noValue, unknownFields } from '../../../slack/ui/unknown-fields.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import {
  formatAccess,
  formatActivity,
  formatState,
  type RoleAccess,
  userPlain,
  userTitle,
} from './format-user.ts';
import { inviteButton, isRemoval, requestButton, type UserQuery, type Verb } from './ids.ts';

type CardOptions = {
  /** Where the service shows it. */
  access: RoleAccess[] | undefined;
  /** Why the user can't be disabled or deleted: mrkdwn. */
  protection: string | undefined;
  /** What the reader may request. */
  verbs: readonly Verb[];
  /** Whether the reader may request to invite the user again. */
  canInvite?: boolean;
};

/** Every field of a user, with the buttons for requests. */
export function userCard(
  user: User,
  { access, protection, verbs, canInvite = false }: CardOptions,
): Message {
  const offered = allowedVerbs(user)
    .filter((verb) => verbs.includes(verb))
    .filter((verb) => protection === undefined || !isRemoval(verb));
  return message([
    header(userTitle(user)),
    section(`${stateIcon(user)} *${capitalize(formatState(user))}*`),
    ...(protection ? [section(`🔒 ${protection}`)] : []),
    ...fieldSections(userFields(user, access)),
    ...(verbs.length > 0 || canInvite ? requestBlocks(user, offered, canInvite) : [notOffered]),
  ]);
}

const notOffered = context("You can't request changes to users in this workspace.");

function stateIcon({ isEnabled }: User): string {
  if (isEnabled === undefined) return '❔';
  return isEnabled ? '✅' : '⛔';
}

function userFields(user: User, access: RoleAccess[] | undefined): Field[] {
  return [
    { label: 'Email', value: user.email === undefined ? noValue : safeName(user.email) },
    { label: 'Confirmed', value: yesNo(user.isConfirmed) },
    ...(access ? [{ label: 'Roles', value: rolesText(access) }] : []),
    { label: 'Last activity', value: formatActivity(user.lastActivityTimestamp) },
    ...(user.inviter ? [{ label: 'Invited by (user ID)', value: code(user.inviter) }] : []),
    { label: 'User ID', value: code(user.id) },
    ...otherFields(user),
  ];
}

const knownLabels = new Map([['organizational_unit_count', 'Organizational units']]);

/** Fields whose meaning is known by a label or as a date; the others under the service's own names. */
function otherFields({ otherFields }: User): Field[] {
  const known: Field[] = [];
  const unknown: [string, unknown][] = [];
  for (const [name, value] of Object.entries(otherFields)) {
    const label = knownLabels.get(name) ?? safeName(name, 60);
    const at = typeof value === 'string' ? parseTimestamp(value) : undefined;
    if (at) known.push({ label, value: moment(at) });
    else if (knownLabels.has(name) && typeof value === 'number') {
      known.push({ label, value: String(value) });
    } else unknown.push([name, value]);
  }
  const others = unknownFields(Object.fromEntries(unknown), { maxFields, maxLength: 300 });
  return [...known.slice(0, maxFields), ...others];
}

const maxFields = 30;

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
function requestBlocks(user: User, offered: Verb[], canInvite: boolean): KnownBlock[] {
  if (user.id.length > maxIdLength) return [];
  const again = {
    ...inviteButton('Invite again…', { userId: user.id }),
    accessibilityLabel: `Invite again: ${userPlain(user)}`,
  };
  const buttons = [
    ...(canInvite ? [button(again)] : []),
    ...offered.map((verb) => verbButton(verb, user)),
  ];
  if (buttons.length === 0) return [];
  return [actions(buttons), context("Each change needs a second person's approval.")];
}

function verbButton(verb: Verb, user: User) {
  const request = requestButton(verb, buttonTexts[verb], user);
  const accessibilityLabel = `${request.text.replace('…', '')}: ${userPlain(user)}`;
  return button({
    ...request,
    accessibilityLabel,
    style: verb === 'delete' ? 'danger' : undefined,
  });
}

function yesNo(value: boolean | undefined): string {
  if (value === undefined) return noValue;
  return value ? 'yes' : 'no';
}

/** `queries`: what was searched for, one after the other. */
export function noUserMessage(queries: string[], state?: UserQuery['state']): Message {
  const searched = queries.map((query) => `“${safeName(query, 100)}”`).join(' or ');
  return notice(
    `No ${state ? `${state} ` : ''}user matches ${searched}. Try part of the name or the email address, or the user ID.`,
  );
}
