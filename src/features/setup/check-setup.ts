import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { serviceConnection, type WorkspaceStore } from '../workspaces/index.ts';
import type { SetupForm } from './setup-form.ts';
import { setupBlocks } from './views/ids.ts';

const maxApprovers = 20;

/** Errors by block id for approvers who could never decide and a channel that Belay can't post in. */
export async function checkSlackChoices(
  { approvers, approvalsChannelId }: SetupForm,
  { slack, teamId }: { slack: SlackClient; teamId: string },
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  if (approvers.length > maxApprovers) {
    errors[setupBlocks.approvers] = `Name at most ${maxApprovers} people.`;
  } else {
    const people = await Promise.all(approvers.map((id) => readPerson(slack, teamId, id)));
    if (people.some(({ membership }) => membership !== 'member')) {
      errors[setupBlocks.approvers] =
        'Only active full members of this workspace can decide; no guests, bots or people from elsewhere.';
    }
  }
  if (approvalsChannelId && !(await canPostInChannel(slack, approvalsChannelId))) {
    errors[setupBlocks.approvalsChannel] =
      'Belay is not in this channel. Invite it there first, with /invite @Belay.';
  }
  return errors;
}

/** Whether the service has the user that was named as the token's owner. */
export type OwnerCheck = 'not-named' | 'known' | 'unknown' | 'not-checkable';

/**
 * Looks the token's owner up after the setup was saved: with a typo, the owner would not be protected.
 * It is no reason to refuse the setup, because a token need not see its own user.
 */
export async function checkOwner(
  { teamId, region }: { teamId: string; region: Region },
  {
    store,
    userExists,
  }: {
    store: Pick<WorkspaceStore, 'openConnection'>;
    userExists: (connection: ServiceConnection, text: string) => Promise<boolean | undefined>;
  },
): Promise<OwnerCheck> {
  const connection = await store.openConnection(teamId);
  if (!connection || connection === 'unreadable') return 'not-checkable';
  const owner = connection.tokenOwner?.trim();
  if (!owner) return 'not-named';
  const isKnown = await userExists(serviceConnection(region, connection), owner);
  if (isKnown === undefined) return 'not-checkable';
  return isKnown ? 'known' : 'unknown';
}
