import type { ServiceClient } from '../../../dataprotection/client.ts';
import { listUsers, type User } from '../../../dataprotection/resources/users.ts';
import { code, safeName } from '../../../slack/ui/mrkdwn.ts';
import { unquote } from '../../../slack/ui/typed-filter.ts';
import { normalize as normalizeName, readById } from '../find-users.ts';

/** Somebody who can't be in a request about several users: who, and why, both mrkdwn. */
export type LeftOut = { who: string; why: string };

/** How long a person waits for a search through all users. */
const searchTimeoutMs = 20_000;

/**
 * The addresses, ids and names in text that a person typed or pasted, each once. Separated by commas,
 * semicolons, new lines and "and", and addresses and ids also by spaces; of "Kim Lee <kim@example.com>"
 * only the address. A name in quotation marks may contain any of them.
 */
export function splitUserList(text: string): string[] {
  const quoted = unquote(text.trim());
  if (quoted !== text.trim() && !quoted.includes('@')) return [bare(quoted)].filter(Boolean);
  const withoutNames = text.replaceAll(/[^,;<>\n]*<([^<>\s]+@[^<>\s]+)>/g, ' $1 ');
  const parts = withoutNames
    .split(/[,;\n]+|(?:^|\s)(?:and|&)(?=\s|$)/i)
    .flatMap((part) => {
      const pieces = part.split(/\s+/).filter(Boolean);
      return pieces.every((piece) => /[@\d]/.test(piece)) ? pieces : part;
    })
    .map(bare);
  const byText = new Map(parts.filter(Boolean).map((part) => [normalize(part), part]));
  return [...byText.values()];
}

/** Without punctuation around it, and without the `@` of a mention that Slack didn't complete. */
function bare(part: string): string {
  return part.trim().replaceAll(/^[@"“”„«»'‘’<(]+|["“”„«»'‘’>).]+$/g, '');
}

/** Anything else without an `@` may be a name. */
const isId = (part: string): boolean => /^[^\s@]*\d[^\s@]*$/.test(part);

/**
 * The users with these addresses, ids and names, each once, with all that the service shows of a single
 * user. Addresses and names are compared in one reading of the list, because no service looks users up by
 * address.
 * @throws {ServiceTimeoutError} when the service is too slow to say that an address is nobody's.
 */
export async function resolveUsers(
  client: ServiceClient,
  typed: string[],
): Promise<{ users: User[]; leftOut: LeftOut[] }> {
  const compared = typed.filter((part) => !isId(part));
  const idsByText = await findIds(client, compared);
  const leftOut: LeftOut[] = [];
  const found = await Promise.all(
    typed.map(async (part): Promise<User | LeftOut> => {
      const ids = idsByText.get(part) ?? (part.includes('@') ? [] : [part]);
      const [id, another] = ids;
      const who = `“${safeName(part, 100)}”`;
      if (another !== undefined) {
        const named = ids.slice(0, 5).map((one) => code(one, 60));
        const what = part.includes('@') ? 'this address' : 'this name';
        const why = `${ids.length} users have ${what}. Use one of these IDs: ${named.join(', ')}`;
        return { who, why };
      }
      const user = id === undefined ? undefined : await readById(client, id);
      if (user) return user;
      const what = part.includes('@') ? 'email address' : isId(part) ? 'ID' : 'name or ID';
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

/** The ids of the users with each address or full name. Part of a name could be anybody's. */
async function findIds(client: ServiceClient, texts: string[]): Promise<Map<string, string[]>> {
  if (texts.length === 0) return new Map();
  const found = new Map<string, Set<string>>();
  const signal = AbortSignal.timeout(searchTimeoutMs);
  for await (const { items } of listUsers(client, { signal })) {
    for (const { id, email = '', fullName = '' } of items) {
      for (const text of texts) {
        const isTheirs = text.includes('@')
          ? normalize(email) === normalize(text)
          : normalizeName(bare(fullName)) === normalizeName(text);
        if (isTheirs) found.set(text, (found.get(text) ?? new Set()).add(id));
      }
    }
  }
  return new Map([...found].map(([text, ids]) => [text, [...ids]]));
}

function normalize(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
