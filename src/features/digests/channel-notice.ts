import type { Outgoing } from '../../outbox/message.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import type { Message } from '../../slack/ui/blocks.ts';

/**
 * What a channel hears of a change of one of its digests. In direct messages the only reader has made
 * it and has the answer already.
 */
export function channelNotice(
  channelId: string,
  { subject, message }: { subject: string; message: Message },
): Outgoing | undefined {
  return isDirectChannel(channelId) ? undefined : { subject, message };
}
