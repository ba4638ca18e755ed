import {
  type CallOptions,
  createServiceClient,
  type ServiceClient,
  type ServiceTransport,
} from '../../dataprotection/client.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import {
  RequestRejectedError,
  ServiceError,
  ServiceTimeoutError,
} from '../../dataprotection/http/errors.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { collectItems } from '../../dataprotection/paging/collect-items.ts';
import {
  listUsers,
  readUser,
  searchUsers,
  type User,
} from '../../dataprotection/resources/users.ts';
import { mailboxOf } from '../../mailbox.ts';

export type FoundUsers = {
  users: User[];
  /** False when time ran out before the last page: there may be more. */
  isComplete: boolean;
};

/** How long a person waits for a search through all users. */
const searchTimeoutMs = 8000;

/**
 * Users whose id is `query`, or whose name or e-mail address contains it; all users if it is empty. No
 * service looks through all three, so this reads all pages and compares here.
 */
export async function findUsers(client: ServiceClient, query: string): Promise<FoundUsers> {
  const wanted = normalize(query);
  const signal = AbortSignal.timeout(searchTimeoutMs);
  const pages =
    query === '' ? listUsers(client, { signal }) : searchUsers(client, query, { signal });
  const { items, isComplete } = await collectItems(pages, (user) => matches(user, wanted));
  return { users: items, isComplete };
}

/**
 * The users that `text` can mean where one is needed: those whose id, e-mail address or full name
 * equals it, else those that contain it.
 */
export async function resolveUser(client: ServiceClient, text: string): Promise<FoundUsers> {
  const byId = isPlausibleId(text) ? await readById(client, text) : undefined;
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
  return undefinedIfGone(readUser(client, id, options));
}

/** The same for text that may be no id, which some services refuse. */
export async function readById(client: ServiceClient, text: string): Promise<User | undefined> {
  try {
    const user = await findUser(client, text);
    return user?.id === text ? user : undefined;
  } catch (error) {
    if (error instanceof RequestRejectedError) return undefined;
    throw error;
  }
}

/**
 * Whether the service has a user with this id or e-mail address; undefined when it did not answer
 * in the time that a person waits.
 */
export async function userExists(
  connection: ServiceConnection,
  text: string,
  transport: ServiceTransport,
): Promise<boolean | undefined> {
  try {
    return await isUser(createServiceClient(connection, transport), text);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** The same for one client. @throws {ServiceError} */
export async function isUser(client: ServiceClient, text: string): Promise<boolean | undefined> {
  const mailbox = mailboxOf(text);
  const isNamed = ({ id, email }: User) =>
    mailbox === undefined ? id.toLowerCase() === text.toLowerCase() : mailboxOf(email) === mailbox;
  if (mailbox === undefined && isPlausibleId(text) && (await readById(client, text))) return true;
  const query = mailbox === undefined ? text : commonPart(mailbox);
  try {
    const signal = AbortSignal.timeout(searchTimeoutMs);
    for await (const page of searchUsers(client, query, { signal })) {
      if (page.items.some(isNamed)) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof ServiceTimeoutError) return undefined;
    throw error;
  }
}

/** What all spellings of a mailbox have in common: the start, but for Gmail, which ignores dots. */
function commonPart(mailbox: string): string {
  const [local = '', domain] = mailbox.split(/@(?=[^@]*$)/);
  return domain === 'gmail.com' ? 'mail.com' : local;
}

const isPlausibleId = (text: string): boolean => /^[^\s@]+$/.test(text);

function matches({ id, fullName = '', email = '' }: User, wanted: string): boolean {
  return id === wanted || normalize(fullName).includes(wanted) || normalize(email).includes(wanted);
}

/** Ignores case, accents and repeated whitespace. */
export function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
