import type { ReactNode } from 'react';
import { conversationHref } from '../use-address.ts';
import { useWorkspace } from '../workspace-context.ts';

type UserProps = { slackUserId: string; label?: ReactNode };

export function UserMention({ slackUserId, label }: UserProps) {
  const { names, me } = useWorkspace();
  return (
    <span className="mention" data-me={slackUserId === me.slackUserId}>
      @{names.get(slackUserId) ?? label ?? slackUserId}
    </span>
  );
}

type ChannelProps = { channelId: string; label?: ReactNode };

/** A channel the person can't see is shown by the name in the text, if there is one. */
export function ChannelMention({ channelId, label }: ChannelProps) {
  const { conversations } = useWorkspace();
  const channel = conversations.find((conversation) => conversation.channelId === channelId);
  if (!channel) return <span className="mention">#{label ?? 'private-channel'}</span>;
  return (
    <a className="mention" href={conversationHref(channel.name)}>
      #{channel.name}
    </a>
  );
}
