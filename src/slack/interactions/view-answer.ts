import { notifyPerson } from '../api/post.ts';
import type { SlackClient } from '../api/slack-client.ts';
import type { Message } from '../ui/blocks.ts';
import { noticeModal, openModal, showInModal } from '../ui/modal.ts';

type Answer = (message: Message) => Promise<void>;

const modalOf = ({ blocks = [] }: Message) => noticeModal('Belay', blocks);

/** Answers a click in a modal: in its place. */
export function createModalAnswer(slack: SlackClient, viewId: string): Answer {
  return async (message) => {
    await showInModal({ slack, connection: undefined }, viewId, modalOf(message));
  };
}

/**
 * Answers a click on the Home tab: in a modal, which a second answer replaces. Too late to open one,
 * because a trigger expires after 3 s, in a direct message.
 */
export function createHomeAnswer({
  slack,
  triggerId,
  slackUserId,
}: {
  slack: SlackClient;
  triggerId: string;
  slackUserId: string;
}): Answer {
  const opener = { slack, connection: undefined };
  let viewId: string | undefined;
  return async (message) => {
    const view = modalOf(message);
    if (viewId !== undefined && (await showInModal(opener, viewId, view))) return;
    try {
      viewId = await openModal({ ...opener, triggerId }, view);
    } catch {
      await notifyPerson(slack, { slackUserId }, message);
    }
  };
}
