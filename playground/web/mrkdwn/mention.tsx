import type { ReactNode } from 'react';
import { useTabIndex } from '../tab-stop.ts';
import { conversationHref } from '../use-address.ts';
import { useWorkspace } from '../workspace-context.ts';

type UserProps = { slackUserId: string; label?: ReactNode };

export function UserMention({ slackUserId, label }: UserProps) {
  const { names, me } = useWorkspace();
  return (
    <span className="mention" data-me={slackUserId === me.slackUserId}>
      @{names[slackUserId] ?? label ?? slackUserId}
    </span>
  );
}

type ChannelProps = { channelId: string; label?: ReactNode };

/** A channel the person can't see is shown by the name in the text, if there is one. */
export function ChannelMention({ channelId, label }: ChannelProps) {
  const { places } = useWorkspace();
  const tabIndex = useTabIndex();
  const channel = places.find((place) => place.channelId === channelId);
  if (!channel) return <span className="mention">#{label ?? 'private-channel'}</span>;
  return (
    <a className="mention" tabIndex={tabIndex} href={conversationHref(channel.name)}>
      #{channel.name}
    </a>
  );
}
