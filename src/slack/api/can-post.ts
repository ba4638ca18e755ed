import { isDirectChannel, isDirectWithBelay, mayPostIn } from './channel.ts';
import type { Person } from './person.ts';
import type { SlackClient } from './slack-client.ts';

/** Whether Belay can post where a person asked for it; in direct messages, only in those with itself. */
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
