import { isRecipientGone } from '../../../slack/api/error-codes.ts';
import type { Person } from '../../../slack/api/person.ts';
import { updateDirectMessage, updateMessage } from '../../../slack/api/post.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { mayView, type WorkspaceSettings } from '../../workspaces/index.ts';
import type { Approval } from '../approval.ts';
import type { Follower } from '../store/following.ts';

/** In place of a direct message about a request, for somebody who lost the right to see it. */
const revokedMessage = notice('You no longer have access to this request.');

/**
 * The person, if they may see requests at this moment. @throws GroupUnreadError while that isn't known,
 * so that the message is updated later.
 */
export async function findViewer(
  { teamId }: Pick<Approval, 'teamId'>,
  slackUserId: string,
  {
    readPerson,
    readSettings,
  }: {
    readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
    readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  },
): Promise<Person | undefined> {
  try {
    const person = await readPerson(teamId, slackUserId);
    return mayView(person, await readSettings(teamId)) ? person : undefined;
  } catch (error) {
    if (isRecipientGone(error)) return undefined;
    throw error;
  }
}

/** Removes the content and the buttons from a message that may have been sent under `key`. Sends none. */
export async function revokeCopy(
  slack: SlackClient,
  { slackUserId, direct, attemptedAt }: Follower,
  key: string,
): Promise<'revoked'> {
  if (direct) await updateMessage(slack, direct, revokedMessage);
  else if (attemptedAt) {
    await updateDirectMessage(slack, slackUserId, revokedMessage, { key, attemptedAt });
  }
  return 'revoked';
}
