import type { Message } from '../slack/protocol.ts';

/** A message of a conversation with the replies in its thread, oldest first. */
export type Thread = {
  root: Message;
  replies: Message[];
  /** True if the message is the first one of its day. */
  beginsDay: boolean;
  /** True if it is drawn below the one before without its author, who is the same. */
  isContinued: boolean;
};

/** Slack groups messages of one author that are closer than this. */
const groupSeconds = 5 * 60;

/**
 * The threads of a conversation, oldest first. A reply to a message that isn't there stands on its own.
 * `dayOf` names the calendar day of a message for the person who reads.
 */
export function groupMessages(messages: Message[], dayOf: (messageTs: string) => string): Thread[] {
  const known = new Set(messages.map(({ messageTs }) => messageTs));
  const byRoot = Map.groupBy(messages, ({ messageTs, threadTs = messageTs }) =>
    known.has(threadTs) ? threadTs : messageTs,
  );
  const threads: Thread[] = [];
  for (const message of messages) {
    const replies = byRoot.get(message.messageTs);
    // A reply is in the thread of its root.
    if (!replies) continue;
    const before = threads.at(-1);
    const isSameDay = before && dayOf(before.root.messageTs) === dayOf(message.messageTs);
    threads.push({
      root: message,
      replies: replies.filter((one) => one !== message),
      beginsDay: !isSameDay,
      isContinued: Boolean(
        isSameDay && before.replies.length === 0 && continues(before.root, message),
      ),
    });
  }
  return threads;
}

function continues(before: Message, message: Message): boolean {
  return (
    before.authorId === message.authorId &&
    !before.isEphemeral &&
    !message.isEphemeral &&
    Number(message.messageTs) - Number(before.messageTs) < groupSeconds
  );
}
