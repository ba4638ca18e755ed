import { createServiceClient, type ServiceTransport } from '../../dataprotection/client.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { mailboxOf } from './email-address.ts';
import { findUsers, resolveUser } from './find-users.ts';

/**
 * Whether the service has a user with this id or e-mail address; undefined when it could not be told
 * in the time that a person waits.
 */
export async function knowsUser(
  connection: ServiceConnection,
  text: string,
  transport: ServiceTransport,
): Promise<boolean | undefined> {
  const client = createServiceClient(connection, transport);
  const mailbox = mailboxOf(text);
  try {
    // One mailbox has many spellings, but all begin alike.
    const { users, isComplete } = await (mailbox === undefined
      ? resolveUser(client, text)
      : findUsers(client, mailbox.slice(0, mailbox.lastIndexOf('@'))));
    const isThere = users.some(({ id, email }) =>
      mailbox === undefined
        ? id.toLowerCase() === text.toLowerCase()
        : mailboxOf(email) === mailbox,
    );
    return isThere || (isComplete ? false : undefined);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
