import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { approvers, requesters } from './people.ts';

export type Seen = {
  /** What a message says now. */
  at: (channelId: string, messageTs: string) => Message | undefined;
  /** The ephemeral messages to this person, oldest first. */
  privately: (slackUserId: string) => Message[];
};

/** All messages that the approvers and requesters see now. */
export function readCopies(slack: LocalSlack): Seen {
  const seen = new Map<string, Message>();
  const ephemeral = new Map<string, Message[]>();
  for (const id of [...approvers, ...requesters]) {
    const messages = slack.snapshot(id).conversations.flatMap((one) => one.messages);
    for (const message of messages) seen.set(`${message.channelId} ${message.messageTs}`, message);
    ephemeral.set(
      id,
      messages.filter(({ isEphemeral }) => isEphemeral),
    );
  }
  return {
    at: (channelId, messageTs) => seen.get(`${channelId} ${messageTs}`),
    privately: (slackUserId) => ephemeral.get(slackUserId) ?? [],
  };
}
