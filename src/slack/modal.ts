import type { KnownBlock, ModalView } from '@slack/types';
import { plain, section } from './blocks.ts';
import { limits } from './limits.ts';
import type { SlackClient } from './slack-client.ts';

export type { ModalView };

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
 * with what `work` finds. When `work` throws, the dialog says so and the listener tells the rest.
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

export async function showInModal(
  slack: SlackClient,
  viewId: string,
  view: ModalView,
): Promise<void> {
  await slack.views.update({ view_id: viewId, view });
}
