import type { Logger } from '../../logger.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { approversChangedMessage } from './views/approvers-changed-message.ts';

type Announcement = {
  by: string;
  before: string[];
  after: string[];
  /** The approvals channel before and after: who follows either one is told. */
  channelIds: (string | undefined)[];
};

/**
 * Tells the approvals channel who decides from now on. The setup is saved by then, so a channel
 * that cannot be told is logged and returned, and no failure of it.
 */
export async function announceApprovers(
  { channelIds, ...change }: Announcement,
  { slack, log }: { slack: SlackClient; log: Logger },
): Promise<string[]> {
  const message = approversChangedMessage(change);
  const untold: string[] = [];
  for (const channelId of new Set(channelIds.filter((id) => id !== undefined))) {
    try {
      if (await postMessage(slack, channelId, message)) continue;
      log.error({ channelId }, 'new approvers could not be announced');
    } catch (error) {
      log.error({ channelId, err: error }, 'new approvers could not be announced');
    }
    untold.push(channelId);
  }
  return untold;
}
