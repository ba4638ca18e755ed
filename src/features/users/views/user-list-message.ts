import type { User } from '../../../dataprotection/resources/users.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import {
  actions,
  button,
  context,
  type KnownBlock,
  type Message,
  menu,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { safeName } from '../../../slack/ui/mrkdwn.ts';
import { pagesAround } from '../../../slack/ui/pager.ts';
import { table } from '../../../slack/ui/table.ts';
import { noValue } from '../../../slack/ui/unknown-fields.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import type { FoundUsers } from '../find-users.ts';
import { isInvited } from '../invite/stored-invitation.ts';
import {
  formatMatches,
  formatState,
  incompleteSearch,
  userMrkdwn,
  userPlain,
} from './format-user.ts';
import {
  inviteActionId,
  inviteButton,
  showActionId,
  type UserQuery,
  userPager,
  viewButton,
} from './ids.ts';

export const usersPerPage = 15;
/** More are easier to compare in a table. */
const maxSections = 3;

/** `total`: of all pages. `canInvite`: whether the reader may request to invite them again. */
type Listed = FoundUsers & { total: number; canInvite?: boolean };

/** A page of users, each with a way to its card. `roleNames` by the id of the role. */
export function userListMessage(
  query: UserQuery,
  { users, total, isComplete, canInvite = false }: Listed,
  roleNames: ReadonlyMap<string, string>,
): Message {
  const { start } = query;
  const range = users.length < total ? ` ${start + 1}-${start + users.length} of ${total}.` : '';
  const pages = pagesAround(query, { total, perPage: usersPerPage });
  return message([
    section(`${formatTitle(query, total)}${range}`),
    ...(users.length > maxSections ? tableBlocks(users, roleNames) : users.map(userSection)),
    ...(canInvite ? inviteMenu(users) : []),
    ...(range ? [actions(userPager.buttons(pages))] : []),
    ...(isComplete ? [] : [context(incompleteSearch)]),
  ]);
}

/** "2 users match “kim lee”." */
function formatTitle({ text, state }: UserQuery, total: number): string {
  const adjective = state ? `${state} ` : '';
  if (text === '') return `*${plural(total, `${adjective}user`)}*.`;
  return state
    ? `${plural(total, `${adjective}user matches`, `${adjective}users match`)} “${safeName(text, 100)}”.`
    : formatMatches(total, text);
}

function userSection(user: User): KnownBlock {
  const text = `${userMrkdwn(user)}\n${capitalize(formatState(user))}`;
  if (user.id.length > maxIdLength) return section(text);
  const accessibilityLabel = `View user: ${userPlain(user)}`;
  return section(text, button({ ...viewButton(user), accessibilityLabel }));
}

function tableBlocks(users: User[], roleNames: ReadonlyMap<string, string>): KnownBlock[] {
  const hasRoles = users.some(({ roles }) => roles !== undefined);
  const titles = ['Name', 'Email', ...(hasRoles ? ['Roles'] : []), 'State', 'Last activity'];
  const rows = users.map((user) => [
    user.fullName ?? '',
    user.email ?? '',
    ...(hasRoles ? [formatRoles(user, roleNames)] : []),
    capitalize(formatState(user)),
    formatDay(user.lastActivityTimestamp),
  ]);
  return [
    table(
      titles.map((title) => ({ title })),
      rows,
    ),
    ...menuOf(users, {
      actionId: showActionId,
      placeholder: 'View user',
      valueFor: (user) => viewButton(user).value,
    }),
  ];
}

function formatRoles({ roles }: User, names: ReadonlyMap<string, string>): string {
  if (!roles) return noValue;
  const shown = roles.map(({ roleId, roleName }) => roleName ?? names.get(roleId) ?? roleId);
  return [...new Set(shown)].join(', ') || 'none';
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A table takes no date tokens of Slack, and a day is enough to compare. */
function formatDay(value: string | undefined): string {
  if (value === undefined) return 'never';
  const at = parseTimestamp(value);
  return at ? day.format(at) : value;
}

/** A menu, because each of them opens a form. */
function inviteMenu(users: User[]): KnownBlock[] {
  return menuOf(users.filter(isInvited), {
    actionId: inviteActionId,
    placeholder: 'Invite again…',
    valueFor: ({ id }) => inviteButton('', { userId: id }).value,
  });
}

/** None if the ids of all users are too long for an option. */
function menuOf(
  users: User[],
  {
    actionId,
    placeholder,
    valueFor,
  }: { actionId: string; placeholder: string; valueFor: (user: User) => string },
): KnownBlock[] {
  const options = users
    .filter(({ id }) => id.length <= maxIdLength)
    .map((user) => ({ value: valueFor(user), text: userPlain(user) }))
    .filter(({ value }) => value.length <= limits.optionValue);
  return options.length > 0 ? [actions([menu({ actionId, placeholder, options })])] : [];
}
