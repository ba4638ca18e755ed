import type { ServiceConnection } from '../../dataprotection/connection.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { isUserGroup } from '../../workspace/members.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import { definedSettings } from '../../workspace/settings/settings.ts';

export const maxApprovers = 20;

/** Approvers must see exactly what is saved, so invisible characters are refused. */
export function isDeceptive(text = ''): boolean {
  return /\p{C}|[^\S ]|\s{2}|\p{Bidi_Control}/u.test(text);
}

export const deceptiveText = 'Remove invisible characters and repeated spaces.';

/** Errors by field id for new approvers who could never decide, or a channel that Belay can't post in. */
export async function checkSlackChoices(
  { before, after }: { before: WorkspaceSettings; after: WorkspaceSettings },
  slack: SlackClient,
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  const isOther = definedSettings.approvers.compare(before, after) !== undefined;
  const approvers = isOther ? after.approvers.filter((id) => !isUserGroup(id)) : [];
  const { approvalsChannel } = after;
  if (approvers.length > maxApprovers) {
    errors.approvers = `Choose at most ${maxApprovers} people.`;
  } else {
    const people = await Promise.all(approvers.map((id) => readPerson(slack, id)));
    if (people.some(({ membership }) => membership !== 'member')) {
      errors.approvers =
        "Choose only active full members of this workspace. Guests, bots and people from other workspaces can't approve requests.";
    }
  }
  const isOtherChannel = approvalsChannel !== before.approvalsChannel;
  if (approvalsChannel && isOtherChannel && !(await canPostInChannel(slack, approvalsChannel))) {
    errors.approvalsChannel =
      "Belay isn't in this channel. Invite Belay with /invite @Belay, then submit the form again.";
  }
  return errors;
}

/** Whether the service has a user with this id or address; undefined if that can't be checked. */
export type UserExists = (
  connection: ServiceConnection,
  text: string,
) => Promise<boolean | undefined>;

/** Whether the service has the user that was named as the token's owner. */
export type OwnerCheck = 'not_named' | 'known' | 'not_checkable';

/**
 * Looks up the token's owner before the setup is saved: a typo would protect nobody. A token that can't
 * see its own user has to be set up without an owner.
 */
export async function checkOwner(
  tokenOwner: string | undefined,
  connection: ServiceConnection,
  userExists: UserExists,
): Promise<OwnerCheck | { errors: Record<string, string> }> {
  const owner = tokenOwner?.trim();
  if (!owner) return 'not_named';
  const isKnown = await userExists(connection, owner);
  if (isKnown === undefined) return 'not_checkable';
  if (isKnown) return 'known';
  const what = owner.includes('@') ? 'address' : 'ID';
  return { errors: { tokenOwner: `No user has this ${what}. Check it.` } };
}
