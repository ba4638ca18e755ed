import type { Logger } from '../../logger.ts';
import { postMessage } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { approversChangedMessage } from './views/approvers-changed-message.ts';

type Announcement = {
  by: string;
  before: string[];
  after: string[];
  /** The approvals channel before and after the change; people may follow either. */
  channelIds: (string | undefined)[];
};

/**
 * Posts the new approvers to the approvals channel. The setup is saved already, so a channel that
 * can't be reached is no failure: it is logged, and returned for the answer to name it.
 */
export async function announceApprovers(
  { channelIds, ...change }: Announcement,
  { slack, log }: { slack: SlackClient; log: Logger },
): Promise<string[]> {
  const message = approversChangedMessage(change);
  const unreached: string[] = [];
  for (const channelId of new Set(channelIds.filter((id) => id !== undefined))) {
    try {
      if (await postMessage(slack, channelId, message)) continue;
      log.error({ channelId }, 'new approvers could not be announced');
    } catch (error) {
      log.error({ channelId, err: error }, 'new approvers could not be announced');
    }
    unreached.push(channelId);
  }
  return unreached;
}
