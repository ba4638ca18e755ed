import type { SlackClient } from '../api/slack-client.ts';
import { isClickable, type Message, type MessageBlock } from './blocks.ts';

/*
 * Where Belay is installed in a whole organization, a click on a message doesn't say in which workspace
 * the message is. The ids of its blocks come back with a click, so they carry the workspace.
 */

const prefix = 'team';

/** A message whose buttons come back with the workspace that it is sent to, and with their connection. */
export function bindMessage(
  message: Message,
  { teamId, organizationId }: Pick<SlackClient, 'teamId' | 'organizationId'>,
): Message {
  if (organizationId === undefined || !message.blocks) return message;
  const bind = (block: MessageBlock, index: number): MessageBlock =>
    isClickable(block)
      ? { ...block, block_id: `${prefix}:${teamId}:${block.block_id ?? index}` }
      : block;
  return { ...message, blocks: message.blocks.map(bind) };
}

/** The workspace of `bindMessage`; undefined in messages that carry none. */
export function readMessageTeam(blockId: string | undefined): string | undefined {
  const [found, teamId] = blockId?.split(':') ?? [];
  return found === prefix ? teamId : undefined;
}
