import type { CallOptions, ServiceClient } from '../../dataprotection/client.ts';
import {
  NotFoundError,
  RequestRejectedError,
  ServiceTimeoutError,
} from '../../dataprotection/http/errors.ts';
import { readUser, searchUsers, type User } from '../../dataprotection/resources/users.ts';

export type FoundUsers = {
  users: User[];
  /** False when time ran out before the last page: there may be more. */
  isComplete: boolean;
};

/** As long as a person waits for a search through all users. */
const patienceMs = 8000;

/**
 * Users whose id is `query`, or whose name or e-mail address contains it. No service looks
 * through all three, so this reads all pages and compares here.
 */
export async function findUsers(client: ServiceClient, query: string): Promise<FoundUsers> {
  const wanted = normalize(query);
  const users = new Map<string, User>();
  try {
    const signal = AbortSignal.timeout(patienceMs);
    for await (const page of searchUsers(client, query, { signal })) {
      for (const user of page.items) {
        if (matches(user, wanted)) users.set(user.id, user);
      }
    }
  } catch (error) {
    // Some matches, said to be some, help more than none. None at all is a failure.
    if (!(error instanceof ServiceTimeoutError) || users.size === 0) throw error;
    return { users: [...users.values()], isComplete: false };
  }
  return { users: [...users.values()], isComplete: true };
}

/**
 * The users that `text` can mean, when it must be one: an id or e-mail address or a full name that
 * fits exactly wins over those that merely contain it.
 */
export async function resolveUser(client: ServiceClient, text: string): Promise<FoundUsers> {
  const byId = await readIfId(client, text);
  if (byId) return { users: [byId], isComplete: true };
  const found = await findUsers(client, text);
  const wanted = normalize(text);
  if (!found.isComplete) return found;
  const exact = found.users.filter(({ email, fullName }) =>
    [email, fullName].some((value) => normalize(value ?? '') === wanted),
  );
  return exact.length > 0 ? { ...found, users: exact } : found;
}

/** The user with this id, undefined when there is none. */
export async function findUser(
  client: ServiceClient,
  id: string,
  options: CallOptions = {},
): Promise<User | undefined> {
  try {
    return await readUser(client, id, options);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

async function readIfId(client: ServiceClient, text: string): Promise<User | undefined> {
  if (!/^[^\s@]+$/.test(text)) return undefined;
  try {
    const user = await readUser(client, text);
    return user.id === text ? user : undefined;
  } catch (error) {
    // Some services refuse what does not look like one of their ids.
    if (error instanceof NotFoundError || error instanceof RequestRejectedError) return undefined;
    throw error;
  }
}

function matches({ id, fullName = '', email = '' }: User, wanted: string): boolean {
  return id === wanted || normalize(fullName).includes(wanted) || normalize(email).includes(wanted);
}

/** Case, accents and runs of blanks do not matter to a person who searches. */
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
