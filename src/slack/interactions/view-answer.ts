import type { BlockAction, BlockElementAction } from '@slack/bolt';
import { notifyPerson } from '../api/post.ts';
import type { SlackClient } from '../api/slack-client.ts';
import type { Message } from '../ui/blocks.ts';
import { readMessageTeam } from '../ui/bound-message.ts';
import { readBinding } from '../ui/codec.ts';
import { belayModal, openModal, showInModal } from '../ui/modal.ts';

/** The workspace that the modal, Home tab or message of a click was made for. */
export function readClickTeam(
  { view }: BlockAction,
  { block_id: blockId }: BlockElementAction,
): string | undefined {
  return view ? readBinding(view.private_metadata)?.team : readMessageTeam(blockId);
}

/**
 * Answers a click in a modal in its place, and one on the Home tab in a modal, which a second answer
 * replaces; too late to open one, because a trigger expires after 3 s, in a direct message. Undefined
 * for a click in a message.
 */
export function createViewAnswer(
  slack: SlackClient,
  { view, trigger_id: triggerId, user }: BlockAction,
): ((message: Message) => Promise<void>) | undefined {
  if (!view) return undefined;
  const opener = { slack, connection: undefined };
  const isOnHome = view.type === 'home';
  let viewId = isOnHome ? undefined : view.id;
  return async (message) => {
    const answer = belayModal(message);
    const isShown = viewId !== undefined && (await showInModal(opener, viewId, answer));
    if (isShown || !isOnHome) return;
    try {
      viewId = await openModal({ ...opener, triggerId }, answer);
    } catch {
      await notifyPerson(slack, { slackUserId: user.id }, message);
    }
  };
}
