import {
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Message } from '../slack/protocol.ts';
import { MessageArticle } from './message.tsx';
import { formatSlackDate } from './mrkdwn/format-date.ts';
import { groupMessages, type Thread } from './threads.ts';
import { forgetMessage } from './use-address.ts';
import { useNow } from './use-now.ts';
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
export const MessageList = memo(function MessageList({ messages, title, linkedTs }: Props) {
  const { me } = useWorkspace();
  const scroller = useOwnNewsInSight(messages, me.slackUserId);
  const markedTs = useLinkedMessage(scroller, linkedTs);
  const threads = useThreads(messages);
  const [unfolded, setUnfolded] = useState<readonly string[]>([]);
  const isOpen = ({ root }: Thread) => unfolded.includes(root.messageTs);
  const linked = threads.find(({ replies }) => replies.some((one) => one.messageTs === linkedTs));
  // Before the effect that scrolls to the reply.
  if (linked && !isOpen(linked)) setUnfolded([...unfolded, linked.root.messageTs]);
  const shown = threads.flatMap((one) => (isOpen(one) ? [one.root, ...one.replies] : [one.root]));
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

  function toggle(rootTs: string) {
    setUnfolded((open) =>
      open.includes(rootTs) ? open.filter((ts) => ts !== rootTs) : [...open, rootTs],
    );
  }

  const draw = (message: Message, isContinued = false) => (
    <MessageArticle
      key={message.messageTs}
      message={message}
      isCurrent={message === current}
      isMarked={message.messageTs === markedTs}
      isContinued={isContinued}
    />
  );
  // The day of messages that all are of one day is clear.
  const hasDays = threads.filter(({ beginsDay }) => beginsDay).length > 1;

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
        {threads.map((thread) => (
          <Fragment key={thread.root.messageTs}>
            {hasDays && thread.beginsDay && <DayDivider messageTs={thread.root.messageTs} />}
            {draw(thread.root, thread.isContinued)}
            {thread.replies.length > 0 && (
              <Replies thread={thread} isOpen={isOpen(thread)} onToggle={toggle} draw={draw} />
            )}
          </Fragment>
        ))}
      </div>
    </div>
  );
});

/** Names the day of the messages that follow. */
function DayDivider({ messageTs }: { messageTs: string }) {
  const { timeZone } = useWorkspace().me;
  const now = useNow();
  const day = formatSlackDate(Number(messageTs), '{date_long_pretty}', { timeZone, now });
  return (
    <p className="day">
      <span>{day.charAt(0).toUpperCase() + day.slice(1)}</span>
    </p>
  );
}

type RepliesProps = {
  thread: Thread;
  isOpen: boolean;
  onToggle: (rootTs: string) => void;
  draw: (message: Message) => ReactNode;
};

/** The replies of a thread, folded behind their number. */
function Replies({ thread: { root, replies }, isOpen, onToggle, draw }: RepliesProps) {
  const count = replies.length === 1 ? '1 reply' : `${replies.length} replies`;
  return (
    <>
      <p className="replies">
        <button
          type="button"
          className="link-button"
          aria-expanded={isOpen}
          onClick={() => onToggle(root.messageTs)}
        >
          {count}
        </button>
      </p>
      {isOpen && replies.map(draw)}
    </>
  );
}

function useThreads(messages: Message[]): Thread[] {
  const { timeZone } = useWorkspace().me;
  return useMemo(() => {
    const reader = { timeZone, now: new Date() };
    const dayOf = (ts: string) => formatSlackDate(Number(ts), '{date_num}{date_long}', reader);
    return groupMessages(messages, dayOf);
  }, [messages, timeZone]);
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
