import type { KnownBlock } from '@slack/types';
import type { Message } from '../slack/protocol.ts';
import { Avatar } from './avatar.tsx';
import { Blocks } from './blocks/blocks.tsx';
import { ErrorMessage } from './error-message.tsx';
import { formatSlackDate } from './mrkdwn/format-date.ts';
import { Mrkdwn } from './mrkdwn/mrkdwn.tsx';
import { SurfaceProvider } from './surface.tsx';
import { useForm } from './use-form.ts';
import { type Gestures, useGestures } from './use-gestures.ts';
import { useWorkspace } from './workspace-context.ts';

const NO_BLOCKS: KnownBlock[] = [];

export function MessageArticle({ message }: { message: Message }) {
  const { authorName, authorId, isApp, isEphemeral, isEdited, threadTs, messageTs } = message;
  const time = useMessageTime(messageTs);
  const gestures = useGestures();
  const isReply = threadTs !== undefined && threadTs !== messageTs;
  return (
    <article
      className="message"
      aria-label={`${authorName}, ${time.short}`}
      data-ephemeral={isEphemeral}
      data-reply={isReply}
    >
      <Avatar name={authorName} seed={authorId} />
      <div className="message-body">
        {isEphemeral && <EphemeralNote message={message} gestures={gestures} />}
        <p className="message-head">
          <strong>{authorName}</strong> {isApp && <span className="badge">APP</span>}{' '}
          <time dateTime={time.iso} title={time.long}>
            {time.short}
          </time>
          {isReply && <span className="quiet"> replied in the thread</span>}
        </p>
        <MessageContent message={message} gestures={gestures} />
        {isEdited && <span className="quiet"> (edited)</span>}
      </div>
    </article>
  );
}

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

function EphemeralNote({ message, gestures }: { message: Message; gestures: Gestures }) {
  const { channelId, messageTs } = message;
  return (
    <>
      <p className="ephemeral-note">
        <span>Only visible to you</span>
        <button
          type="button"
          className="link-button"
          aria-label="Dismiss message"
          onClick={() => void gestures.send('dismiss', { type: 'dismiss', channelId, messageTs })}
        >
          Dismiss
        </button>
      </p>
      <ErrorMessage message={gestures.errorAt('dismiss')} />
    </>
  );
}

function useMessageTime(messageTs: string): { iso: string; short: string; long: string } {
  const { timeZone } = useWorkspace().me;
  const unixSeconds = Number.parseFloat(messageTs);
  const now = new Date();
  return {
    iso: new Date(unixSeconds * 1000).toISOString(),
    short: formatSlackDate(unixSeconds, '{time}', { timeZone, now }),
    long: formatSlackDate(unixSeconds, '{date_long} at {time_secs}', { timeZone, now }),
  };
}
