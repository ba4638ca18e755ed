import { useLayoutEffect, useRef } from 'react';
import type { Conversation as ConversationData, Message, Snapshot } from '../slack/protocol.ts';
import { Composer } from './composer.tsx';
import { MessageArticle } from './message.tsx';
import { useWorkspace } from './workspace-context.ts';

type Props = { conversation: ConversationData; commands: Snapshot['commands'] };

export function Conversation({ conversation, commands }: Props) {
  const { messages, name, kind, channelId } = conversation;
  const title = kind === 'channel' ? `#${name}` : name;
  const { me } = useWorkspace();
  const scroller = useOwnNewsInSight(messages, me.slackUserId);
  return (
    <main className="conversation">
      <h1>{title}</h1>
      <div className="messages" role="log" aria-label={`Messages in ${title}`} ref={scroller}>
        <div className="message-list">
          {messages.length === 0 && (
            <p className="waiting">No messages yet. Type / to see what can be done here.</p>
          )}
          {inThreads(messages).map((message) => (
            <MessageArticle key={message.messageTs} message={message} />
          ))}
        </div>
      </div>
      <Composer channelId={channelId} placeholder={`Message ${title}`} commands={commands} />
    </main>
  );
}

/** Puts replies directly below the message they belong to. */
function inThreads(messages: Message[]): Message[] {
  const isReply = ({ threadTs, messageTs }: Message) =>
    threadTs !== undefined &&
    threadTs !== messageTs &&
    messages.some((parent) => parent.messageTs === threadTs);
  return messages
    .filter((message) => !isReply(message))
    .flatMap((parent) => [
      parent,
      ...messages.filter((reply) => isReply(reply) && reply.threadTs === parent.messageTs),
    ]);
}

/** Scrolls to the person's own and ephemeral messages even if they have scrolled up. */
function useOwnNewsInSight(messages: Message[], slackUserId: string) {
  const scroller = useRef<HTMLDivElement>(null);
  const newest = messages.at(-1);
  const newestTs = newest?.messageTs;
  const isOwn = newest?.isEphemeral === true || newest?.authorId === slackUserId;
  useLayoutEffect(() => {
    if (newestTs && isOwn) scroller.current?.scrollTo({ top: 0 });
  }, [newestTs, isOwn]);
  return scroller;
}
