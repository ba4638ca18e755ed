import { createServiceClient, type ServiceTransport } from '../../dataprotection/client.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import { OperationUnavailableError, ServiceError } from '../../dataprotection/http/errors.ts';
import { listRoles } from '../../dataprotection/resources/roles.ts';
import { listUsers } from '../../dataprotection/resources/users.ts';
import { mailboxOf } from '../../mailbox.ts';
import type { ProtectedUsers } from '../workspaces/index.ts';
import { isInDomain, normalizeRole } from './check-protected-user.ts';

/** How long a person waits for the lists. */
const timeoutMs = 8000;

/**
 * Which of these protect nobody now: addresses and domains that no user of the service has, and roles
 * that it doesn't have. Reads each list once. Undefined if that takes too long or fails.
 */
export async function findUnusedProtection(
  connection: ServiceConnection,
  { addresses, domains, roles }: ProtectedUsers,
  transport: ServiceTransport,
): Promise<ProtectedUsers | undefined> {
  const client = createServiceClient(connection, transport);
  const signal = AbortSignal.timeout(timeoutMs);
  const unused = { addresses, domains, roles };
  try {
    if (roles.length > 0) {
      const known = await readRoles(listRoles(client, { signal }));
      unused.roles = known ? roles.filter((text) => !known.has(normalizeRole(text))) : [];
    }
    if (addresses.length + domains.length === 0) return unused;
    for await (const { items } of listUsers(client, { signal })) {
      for (const { email } of items) {
        const mailbox = mailboxOf(email);
        if (mailbox === undefined) continue;
        unused.addresses = unused.addresses.filter((text) => mailboxOf(text) !== mailbox);
        unused.domains = unused.domains.filter((text) => !isInDomain(mailbox, text));
      }
      if (unused.addresses.length + unused.domains.length === 0) break;
    }
    return unused;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

type Named = { id: string; name?: string | undefined };

/** Names and ids; undefined if the service has no list of roles. */
async function readRoles(pages: AsyncIterable<{ items: Named[] }>) {
  const known = new Set<string>();
  try {
    for await (const { items } of pages) {
      for (const { id, name = id } of items) known.add(normalizeRole(id)).add(normalizeRole(name));
    }
    return known;
  } catch (error) {
    if (error instanceof OperationUnavailableError) return undefined;
    throw error;
  }
}
