import { guards } from '../../audit-log/registry.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { mailboxOf } from '../../mailbox.ts';
import type { Check } from '../approvals/index.ts';
import { isUser } from './find-users.ts';
import type { UserSnapshot } from './stored-user.ts';

const label = guards.notTokenOwner.id;

/**
 * Refuses to lose the user whose token Belay uses, because the token would stop working. `tokenOwner`
 * is an e-mail address or an id, as entered in setup.
 */
export function checkTokenOwner(
  { id, email }: Pick<UserSnapshot, 'id' | 'email'>,
  tokenOwner: string | undefined,
): Check {
  const owner = tokenOwner?.trim();
  if (!owner) {
    return notCheckable('not set in setup');
  }
  const [ownMailbox, mailbox] = [mailboxOf(owner), mailboxOf(email)];
  if (
    owner.toLowerCase() === id.toLowerCase() ||
    (mailbox !== undefined && ownMailbox === mailbox)
  ) {
    const detail =
      "This user owns Belay's API token, so disabling or deleting the account would disable Belay too. Give Belay another user's token in `/belay setup` first.";
    return { label, result: 'refused', detail };
  }
  if (ownMailbox !== undefined && mailbox === undefined) {
    return notCheckable('the target has no email address');
  }
  return { label, result: 'passed', words: "the target isn't the token owner" };
}

/**
 * The reason why the token owner can't be checked: the service doesn't have the user that setup names,
 * or it didn't answer in time. Either way the check would pass for everyone. Undefined when the owner
 * exists, or setup names none.
 */
export async function checkNamedOwner(
  client: ServiceClient,
  tokenOwner: string | undefined,
): Promise<Check | undefined> {
  const owner = tokenOwner?.trim();
  const isThere = owner ? await isUser(client, owner) : true;
  if (isThere) return undefined;
  return notCheckable(
    isThere === false ? 'no user has the address or ID in setup' : 'the service was too slow',
  );
}

function notCheckable(detail: string): Check {
  return { label, result: 'not_checkable', words: 'token owner', detail };
}
