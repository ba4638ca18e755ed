import { type MouseEvent, memo } from 'react';
import type { Message, MessageBlock } from '../slack/protocol.ts';
import { Avatar } from './avatar.tsx';
import { Blocks } from './blocks/blocks.tsx';
import { COMPOSER_ID } from './composer.tsx';
import { ErrorMessage } from './error-message.tsx';
import { messageSummary } from './message-summary.ts';
import { formatSlackDate } from './mrkdwn/format-date.ts';
import { Mrkdwn } from './mrkdwn/mrkdwn.tsx';
import { SurfaceProvider } from './surface.tsx';
import { TabStopContext, useTabIndex } from './tab-stop.ts';
import { useForm } from './use-form.ts';
import { type Gestures, useGestures } from './use-gestures.ts';
import { useNow } from './use-now.ts';
import { useWorkspace } from './workspace-context.ts';

const NO_BLOCKS: MessageBlock[] = [];

type Props = {
  message: Message;
  /** Whether the Tab key stops at this message of its list. */
  isCurrent: boolean;
  /** Whether a link led to this message. */
  isMarked: boolean;
  /** Whether it is drawn below a message of the same author, without the name and picture. */
  isContinued?: boolean;
};

/** Memoized, because a conversation has hundreds of messages and few change at a time. */
export const MessageArticle = memo(function MessageArticle({
  message,
  isCurrent,
  isMarked,
  isContinued = false,
}: Props) {
  const { authorName, authorId, isApp, isEphemeral, isEdited, threadTs, messageTs, text } = message;
  const { names } = useWorkspace();
  const time = useMessageTime(messageTs);
  const name = `${time.exact}: ${messageSummary(text, names)}`;
  const gestures = useGestures();
  const isReply = threadTs !== undefined && threadTs !== messageTs;
  return (
    <article
      className="message"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${authorName}, ${name}`}
      data-ts={messageTs}
      data-ephemeral={isEphemeral}
      data-reply={isReply}
      data-marked={isMarked}
      data-continued={isContinued}
    >
      {!isContinued && <Avatar name={authorName} seed={authorId} />}
      <TabStopContext value={isCurrent}>
        <div className="message-body">
          {isEphemeral && <EphemeralNote message={message} name={name} gestures={gestures} />}
          <p className="message-head">
            {!isContinued && <strong>{authorName}</strong>}{' '}
            {!isContinued && isApp && <span className="badge">APP</span>}{' '}
            <time dateTime={time.iso} title={time.long}>
              {time.short}
            </time>
          </p>
          <MessageContent message={message} gestures={gestures} />
          {isEdited && <span className="quiet"> (edited)</span>}
        </div>
      </TabStopContext>
    </article>
  );
});

function MessageContent({ message, gestures }: { message: Message; gestures: Gestures }) {
  const blocks = message.blocks ?? NO_BLOCKS;
  const form = useForm(blocks);
  if (blocks.length === 0) return <Mrkdwn text={message.text} />;
  const { channelId, messageTs } = message;
  return (
    <SurfaceProvider
      container={{ kind: 'message', channelId, messageTs }}
      form={form}
      errors={{}}
      gestures={gestures}
    >
      <Blocks blocks={blocks} />
    </SurfaceProvider>
  );
}

type NoteProps = { message: Message; name: string; gestures: Gestures };

function EphemeralNote({ message, name, gestures }: NoteProps) {
  const { channelId, messageTs } = message;
  const tabIndex = useTabIndex();

  async function dismiss({ currentTarget }: MouseEvent) {
    const isByKeyboard = currentTarget.matches(':focus-visible');
    const isDismissed = await gestures.send('dismiss', { type: 'dismiss', channelId, messageTs });
    // The focus would go with the message.
    if (isDismissed && isByKeyboard) document.getElementById(COMPOSER_ID)?.focus();
  }

  return (
    <>
      <p className="ephemeral-note">
        <span>Only visible to you</span>
        <button
          type="button"
          className="link-button"
          tabIndex={tabIndex}
          aria-label={`Dismiss message, ${name}`}
          onClick={(event) => void dismiss(event)}
        >
          Dismiss
        </button>
      </p>
      <ErrorMessage message={gestures.errorAt('dismiss')} />
    </>
  );
}

function useMessageTime(messageTs: string) {
  const { timeZone } = useWorkspace().me;
  const unixSeconds = Number.parseFloat(messageTs);
  const now = useNow();
  return {
    iso: new Date(unixSeconds * 1000).toISOString(),
    exact: formatSlackDate(unixSeconds, '{time_secs}', { timeZone, now }),
    short: formatSlackDate(unixSeconds, '{time}', { timeZone, now }),
    long: formatSlackDate(unixSeconds, '{date_long} at {time_secs}', { timeZone, now }),
  };
}
