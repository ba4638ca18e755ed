import { guards } from '../../audit-log/registry.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { mailboxOf } from '../../mailbox.ts';
import type { Check } from '../approvals/index.ts';
import { findUser } from './find-users.ts';
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
    return notCheckable('setup does not say whose it is');
  }
  const [ownMailbox, mailbox] = [mailboxOf(owner), mailboxOf(email)];
  if (
    owner.toLowerCase() === id.toLowerCase() ||
    (mailbox !== undefined && ownMailbox === mailbox)
  ) {
    const detail =
      "This user owns the API token that Belay works with; disabling or deleting them would disable Belay as well. Please give Belay another user's token in `/belay setup` first.";
    return { label, result: 'refused', detail };
  }
  if (ownMailbox !== undefined && mailbox === undefined) {
    return notCheckable('the service does not tell their e-mail address');
  }
  // Says only what was checked: setup can be wrong about the owner.
  const words = "setup names somebody else as the owner of Belay's token";
  return { label, result: 'passed', words };
}

/** Not checkable when setup names no user of the service: a name or a typo would pass for everyone. */
export async function checkNamedOwner(
  client: ServiceClient,
  tokenOwner: string | undefined,
): Promise<Check | undefined> {
  const owner = tokenOwner?.trim();
  if (!owner || mailboxOf(owner) !== undefined) return undefined;
  if (await findUser(client, owner)) return undefined;
  return notCheckable('setup names an owner whom the service does not know');
}

function notCheckable(detail: string): Check {
  return { label, result: 'not_checkable', words: "whether they own Belay's token", detail };
}
