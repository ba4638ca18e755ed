import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { readUser, type User } from '../../dataprotection/resources/users.ts';
import type { Person } from '../../slack/api/person.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import {
  type NamedPeople,
  notConnected,
  type OpenService,
  offersAction,
  type Service,
  type ServiceRef,
} from '../workspaces/index.ts';
import { readProtection } from './check-protected-user.ts';
import { readAccess } from './preview-user.ts';
import { requestActionIds, verbs } from './views/ids.ts';
import { userCard } from './views/user-message.ts';

/** The card of the user with this id, as the service has them now. */
export async function showUser(
  userId: string,
  { teamId, connection, person }: ServiceRef & { person: Person },
  {
    openService,
    readSettings,
  }: { openService: OpenService; readSettings: (teamId: string) => Promise<NamedPeople> },
): Promise<Message> {
  const [service, settings] = await Promise.all([
    openService(teamId, connection),
    readSettings(teamId),
  ]);
  if (!service) return notConnected;
  try {
    const user = await readUser(service.client, userId);
    return await showCard(user, service, { person, settings });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return notice(
      `Not found: the user with the ID ${code(userId)} was deleted or moved to another organizational unit.`,
    );
  }
}

/** With the buttons for what this person may request. */
export async function showCard(
  user: User,
  { client }: Service,
  { person, settings }: { person: Person; settings: NamedPeople },
): Promise<Message> {
  const [access, protection] = await Promise.all([
    readAccess(client, user),
    readProtection(user, { client, protectedUsers: settings.access.protectedUsers }),
  ]);
  const offered = verbs.filter((verb) => offersAction(person, settings, requestActionIds[verb]));
  return userCard(user, { access, protection, verbs: offered });
}
