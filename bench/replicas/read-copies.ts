import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { approvers, requesters } from './crew.ts';

export type Seen = {
  /** What a message says now. */
  at: (channelId: string, messageTs: string) => Message | undefined;
  /** What only this person was told, oldest first. */
  privately: (slackUserId: string) => Message[];
};

/** Everything that the crew sees at this moment. */
export function readCopies(slack: LocalSlack): Seen {
  const seen = new Map<string, Message>();
  const secrets = new Map<string, Message[]>();
  for (const id of [...approvers, ...requesters]) {
    const messages = slack.snapshot(id).conversations.flatMap((one) => one.messages);
    for (const message of messages) seen.set(`${message.channelId} ${message.messageTs}`, message);
    secrets.set(
      id,
      messages.filter(({ isEphemeral }) => isEphemeral),
    );
  }
  return {
    at: (channelId, messageTs) => seen.get(`${channelId} ${messageTs}`),
    privately: (slackUserId) => secrets.get(slackUserId) ?? [],
  };
}
