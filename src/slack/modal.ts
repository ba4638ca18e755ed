import type { KnownBlock, ModalView as SlackModalView } from '@slack/types';
import { plain, section } from './blocks.ts';
import { limits } from './limits.ts';
import type { SlackClient } from './slack-client.ts';
import { isViewGone } from './web-api-failure.ts';

/** All of Slack's blocks, but none that only some app might know. */
export type ModalView = SlackModalView & { blocks: KnownBlock[] };

/** A dialog that only shows something. */
export function noticeModal(title: string, blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain(title, limits.modalTitle),
    close: plain('Close', limits.modalTitle),
    blocks: blocks.slice(0, limits.blocksPerView),
  };
}

/** A dialog that asks for something; `metadata` comes back with the submission, encoded by codec.ts. */
export function formModal(options: {
  title: string;
  callbackId: string;
  submit: string;
  metadata: string;
  blocks: KnownBlock[];
}): ModalView {
  return {
    type: 'modal',
    callback_id: options.callbackId,
    title: plain(options.title, limits.modalTitle),
    submit: plain(options.submit, limits.modalTitle),
    close: plain('Cancel', limits.modalTitle),
    private_metadata: options.metadata,
    blocks: options.blocks,
  };
}

const trouble = noticeModal('Belay', [
  section('This did not work. Belay tells you more in the conversation.'),
]);

/**
 * Opens a dialog with the line `waiting` at once, because the trigger dies after 3 s, and fills it
 * with what `work` finds, unless the person has closed it. When `work` throws, the dialog says so
 * and the listener tells the rest.
 */
export async function openPendingModal(
  { slack, triggerId }: { slack: SlackClient; triggerId: string },
  { title, waiting }: { title: string; waiting: string },
  work: () => Promise<ModalView>,
): Promise<void> {
  const view = noticeModal(title, [section(waiting)]);
  const opened = await slack.views.open({ trigger_id: triggerId, view });
  const viewId = opened.view?.id;
  if (!viewId) throw new Error('Slack opened a modal without an id');
  try {
    await showInModal(slack, viewId, await work());
  } catch (error) {
    await showInModal(slack, viewId, trouble).catch(() => undefined);
    throw error;
  }
}

export async function openModal(
  { slack, triggerId }: { slack: SlackClient; triggerId: string },
  view: ModalView,
): Promise<void> {
  await slack.views.open({ trigger_id: triggerId, view });
}

/** Fills a dialog anew. False when nobody sees it: the person has closed it. */
export async function showInModal(
  slack: SlackClient,
  viewId: string,
  view: ModalView,
): Promise<boolean> {
  try {
    await slack.views.update({ view_id: viewId, view });
    return true;
  } catch (error) {
    if (isViewGone(error)) return false;
    throw error;
  }
}
