import type { ReactNode } from 'react';
import { useTabIndex } from '../tab-stop.ts';
import { conversationHref } from '../use-address.ts';
import { useWorkspace } from '../workspace-context.ts';

const allowed = /^(https?|mailto):/i;
/** https://docs.slack.dev/reference/methods/chat.getPermalink */
const permalink =
  /^https:\/\/[\w-]+\.slack\.com\/archives\/(?<channelId>\w+)\/p(?<seconds>\d+)(?<fraction>\d{6})$/;

/**
 * Links only to web and mail addresses, so that `javascript:` URLs can't run. A link to a message of
 * this workspace opens its conversation at that message, as in Slack.
 */
export function SafeLink({ url, children }: { url: string; children: ReactNode }) {
  const { places } = useWorkspace();
  const tabIndex = useTabIndex();
  if (!allowed.test(url)) return children;
  const { channelId, seconds, fraction } = permalink.exec(url)?.groups ?? {};
  const conversation = places.find((one) => one.channelId === channelId);
  if (conversation) {
    return (
      <a href={conversationHref(conversation.name, `${seconds}.${fraction}`)} tabIndex={tabIndex}>
        {children}
      </a>
    );
  }
  return (
    <a href={url} tabIndex={tabIndex} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
