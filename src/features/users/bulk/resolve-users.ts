import type { ServiceClient } from '../../../dataprotection/client.ts';
import { RequestRejectedError } from '../../../dataprotection/http/errors.ts';
import { listUsers, type User } from '../../../dataprotection/resources/users.ts';
import { code, safeName } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { findUser } from '../find-users.ts';

/** Somebody who can't be in a request about several users: who, and why, both mrkdwn. */
export type LeftOut = { who: string; why: string };

/** How long a person waits for a search through all users. */
const searchTimeoutMs = 20_000;

/**
 * The addresses and ids in text that a person typed or pasted, each once. Separated by commas, semicolons
 * or whitespace; of "Kim Lee <kim@example.com>" only the address.
 */
export function splitUserList(text: string): string[] {
  const withoutNames = text.replaceAll(/[^,;<>\n]*<([^<>\s]+@[^<>\s]+)>/g, ' $1 ');
  const parts = withoutNames
    .split(/[\s,;]+/)
    .map((part) => part.replaceAll(/^["'<(]+|["'>).]+$/g, ''));
  const byText = new Map(parts.filter(Boolean).map((part) => [normalize(part), part]));
  return [...byText.values()];
}

/**
 * The users with these addresses and ids, each once, with all that the service shows of a single user.
 * Addresses are compared in one reading of the list, because no service looks users up by address.
 * @throws {ServiceTimeoutError} when the service is too slow to say that an address is nobody's.
 */
export async function resolveUsers(
  client: ServiceClient,
  typed: string[],
): Promise<{ users: User[]; leftOut: LeftOut[] }> {
  const addresses = typed.filter((part) => part.includes('@'));
  const idsByAddress = addresses.length > 0 ? await findAddresses(client, addresses) : new Map();
  const leftOut: LeftOut[] = [];
  const found = await Promise.all(
    typed.map(async (part): Promise<User | LeftOut> => {
      const ids: string[] = part.includes('@') ? (idsByAddress.get(normalize(part)) ?? []) : [part];
      const [id, another] = ids;
      const who = `“${safeName(part, 100)}”`;
      if (another !== undefined) {
        const named = ids.slice(0, 5).map((one) => code(one, 60));
        const count = plural(ids.length, 'user has', 'users have');
        return { who, why: `${count} this address. Use one of these IDs: ${named.join(', ')}` };
      }
      const user = id === undefined ? undefined : await readKnown(client, id);
      if (user) return user;
      const what = part.includes('@') ? 'email address' : 'ID';
      return { who, why: `No user has this ${what}.` };
    }),
  );
  const users = new Map<string, User>();
  for (const one of found) {
    if ('why' in one) leftOut.push(one);
    else users.set(one.id, one);
  }
  return { users: [...users.values()], leftOut };
}

/** The ids of the users with each address. */
async function findAddresses(
  client: ServiceClient,
  addresses: string[],
): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>(addresses.map((address) => [normalize(address), []]));
  const signal = AbortSignal.timeout(searchTimeoutMs);
  for await (const { items } of listUsers(client, { signal })) {
    for (const { id, email = '' } of items) {
      const known = ids.get(normalize(email));
      if (known && !known.includes(id)) known.push(id);
    }
  }
  return ids;
}

/** Some services reject values that don't look like their ids. */
async function readKnown(client: ServiceClient, id: string): Promise<User | undefined> {
  try {
    const user = await findUser(client, id);
    return user?.id === id ? user : undefined;
  } catch (error) {
    if (error instanceof RequestRejectedError) return undefined;
    throw error;
  }
}

function normalize(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
