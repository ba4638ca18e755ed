import { isDirectChannel, isDirectWithBelay, mayPostIn } from '../../slack/channel.ts';
import type { Person } from '../../slack/person.ts';
import type { SlackClient } from '../../slack/slack-client.ts';

/** Whether Belay can post where a command was typed; in direct messages, only in those with itself. */
export async function canPost({
  slack,
  channelId,
  person: { slackUserId },
}: {
  slack: SlackClient;
  channelId: string;
  person: Person;
}): Promise<boolean> {
  return isDirectChannel(channelId)
    ? isDirectWithBelay(slack, { channelId, slackUserId })
    : mayPostIn(slack, channelId);
}
