import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Message } from '../slack/protocol.ts';
import { MessageArticle } from './message.tsx';
import { forgetMessage } from './use-address.ts';
import { useWorkspace } from './workspace-context.ts';

/** How long the message that a link leads to is marked. */
const MARK_MS = 4000;

type Props = {
  messages: Message[];
  title: string;
  /** The message that a link leads to. */
  linkedTs: string | undefined;
};

/**
 * The messages of a conversation. They are one stop of the Tab key, the newest one at first: the arrow
 * keys, Home and End move between messages, and Tab goes on into the one that has the focus.
 */
export function MessageList({ messages, title, linkedTs }: Props) {
  const { me } = useWorkspace();
  const scroller = useOwnNewsInSight(messages, me.slackUserId);
  const markedTs = useLinkedMessage(scroller, linkedTs);
  const shown = useMemo(() => inThreads(messages), [messages]);
  const [chosenTs, setChosenTs] = useState<string>();
  const current = shown.find(({ messageTs }) => messageTs === chosenTs) ?? shown.at(-1);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (!(event.target instanceof HTMLElement) || event.target.tagName !== 'ARTICLE') return;
    const articles = [...event.currentTarget.getElementsByTagName('article')];
    const index = articles.indexOf(event.target);
    const last = articles.length - 1;
    const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    articles[Math.max(0, Math.min(last, next))]?.focus();
  }

  return (
    <div
      className="messages"
      role="log"
      aria-label={`Messages in ${title}`}
      ref={scroller}
      onKeyDown={onKeyDown}
      onFocus={(event) => setChosenTs(event.target.closest('article')?.dataset.ts)}
    >
      <div className="message-list">
        {shown.length === 0 && (
          <p className="waiting">No messages yet. Type / to see the available commands.</p>
        )}
        {shown.map((message) => (
          <MessageArticle
            key={message.messageTs}
            message={message}
            isCurrent={message === current}
            isMarked={message.messageTs === markedTs}
          />
        ))}
      </div>
    </div>
  );
}

/** Puts replies directly below the message they belong to. */
function inThreads(messages: Message[]): Message[] {
  const known = new Set(messages.map(({ messageTs }) => messageTs));
  const threads = Map.groupBy(messages, ({ messageTs, threadTs = messageTs }) =>
    known.has(threadTs) ? threadTs : messageTs,
  );
  return messages.flatMap(({ messageTs }) => {
    // A reply has no entry of its own: it is in the one of its parent.
    return threads.get(messageTs) ?? [];
  });
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

/** Scrolls to the message that a link leads to, and focuses it. Returns that message for a moment. */
function useLinkedMessage(
  scroller: RefObject<HTMLDivElement | null>,
  linkedTs: string | undefined,
): string | undefined {
  const [markedTs, setMarkedTs] = useState<string>();
  useLayoutEffect(() => {
    if (linkedTs === undefined) return;
    const articles = [...(scroller.current?.getElementsByTagName('article') ?? [])];
    const linked = articles.find(({ dataset }) => dataset.ts === linkedTs);
    linked?.focus({ preventScroll: true });
    linked?.scrollIntoView({ block: 'center' });
    setMarkedTs(linkedTs);
    forgetMessage();
  }, [scroller, linkedTs]);
  useEffect(() => {
    if (markedTs === undefined) return;
    const timer = setTimeout(() => setMarkedTs(undefined), MARK_MS);
    return () => clearTimeout(timer);
  }, [markedTs]);
  return markedTs;
}
