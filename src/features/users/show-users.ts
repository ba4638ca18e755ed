import type { ServiceClient } from '../../dataprotection/client.ts';
import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import type { User } from '../../dataprotection/resources/users.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { offersAction } from '../../workspace/permissions.ts';
import { type FoundUsers, findUsers } from './find-users.ts';
import { readRoleNames } from './preview-user.ts';
import { inviteActionId, maxQueryLength, type UserQuery, userStates } from './views/ids.ts';
import { userListMessage, usersPerPage } from './views/user-list-message.ts';
import { noUserMessage } from './views/user-message.ts';

/** Words for a state that people type before or after a name. */
const stateWords = new Map<string, UserQuery['state']>([
  ...userStates.map((state) => [state, state] as const),
  ['active', 'enabled'],
  ['inactive', 'disabled'],
  ['deactivated', 'disabled'],
  ['suspended', 'disabled'],
  ['pending', 'invited'],
  ['unconfirmed', 'invited'],
]);

/** `disabled`, `disabled kim`, `kim disabled`, or a text alone. */
export function readUserQuery(typed: string): UserQuery {
  const words = typed.split(/\s+/).filter(Boolean);
  const stateOf = (word = '') => stateWords.get(word.toLowerCase());
  const first = stateOf(words[0]);
  const state = first ?? stateOf(words.at(-1));
  const rest = first ? words.slice(1) : state ? words.slice(0, -1) : words;
  return { text: rest.join(' '), state, start: 0 };
}

/** A page of users, by name. `found`, if they were read already. @throws ServiceError */
export async function showUsers(
  call: Interaction,
  query: UserQuery,
  found?: FoundUsers,
): Promise<Message> {
  const { text, state } = query;
  if (text.length > maxQueryLength) return noUserMessage([text]);
  const { client } = await call.service();
  const { users, isComplete } = found ?? (await findUsers(client, text));
  const matching = users
    .filter((user) => isInState(user, state))
    .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  if (matching.length === 0)
    return text ? noUserMessage([text], state) : notice(`No ${state ? `${state} ` : ''}users.`);
  const start = query.start < matching.length ? query.start : 0;
  const shown = matching.slice(start, start + usersPerPage);
  const canInvite = state === 'invited' && (await offersInvitations(client, call));
  return userListMessage(
    { ...query, start },
    { users: shown, total: matching.length, isComplete, canInvite },
    await readRoleNames(client, shown),
  );
}

/** Whether to show this person the buttons for invitations. */
export async function offersInvitations(
  client: ServiceClient,
  { person, settings }: Pick<Interaction, 'person' | 'settings'>,
): Promise<boolean> {
  return (
    offersAction(person, await settings(), inviteActionId) &&
    (await offersOperation(client, 'inviteUser'))
  );
}

function isInState({ isEnabled, isConfirmed }: User, state: UserQuery['state']): boolean {
  switch (state) {
    case undefined:
      return true;
    case 'enabled':
      return isEnabled === true;
    case 'disabled':
      return isEnabled === false;
    case 'invited':
      return isConfirmed === false;
  }
}

function nameOf({ fullName, email, id }: User): string {
  return fullName || email || id;
}
