import { linkToMessage } from './post.ts';
import type { SlackClient } from './slack-client.ts';

/** As `linkToMessage`. */
export type MessageLinks = typeof linkToMessage;

const maxKnown = 1000;

/** Links that many people see: Slack is asked once for each message, whose address never changes. */
export function createMessageLinks(): MessageLinks {
  const known = new Map<string, string>();
  return async (slack: SlackClient, message, text) => {
    const key = [slack.teamId, message.channelId, message.messageTs, text].join(' ');
    const found = known.get(key);
    if (found !== undefined) return found;
    const link = await linkToMessage(slack, message, text);
    // Else only the channel, because Slack didn't answer with the address.
    if (link.endsWith(`|${text}>`)) {
      if (known.size >= maxKnown) known.clear();
      known.set(key, link);
    }
    return link;
  };
}
