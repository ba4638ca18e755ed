import type { KnownBlock, ModalView as SlackModalView } from '@slack/types';
import type { SlackClient } from '../api/slack-client.ts';
import { isViewGone } from '../api/web-api-failure.ts';
import type { ActionCall } from '../listeners/call.ts';
import { plain, section } from './blocks.ts';
import { limits } from './limits.ts';

/** All of Slack's blocks, but none that only some app might know. */
export type ModalView = SlackModalView & { blocks: KnownBlock[] };

/** A modal that only shows something. */
export function noticeModal(title: string, blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain(title, limits.modalTitle),
    close: plain('Close', limits.modalTitle),
    blocks: blocks.slice(0, limits.blocksPerView),
  };
}

/** A modal that asks for something; `metadata` comes back with the submission, encoded by codec.ts. */
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

/** What a modal says until it is filled. */
type Pending = { title: string; waiting: string };

/**
 * Opens a modal with the line `waiting` at once, because the trigger dies after 3 s, and fills it
 * with what `work` finds, unless the person has closed it. When `work` throws, the modal says so
 * and the listener tells the rest.
 */
export async function openPendingModal(
  { slack, triggerId }: { slack: SlackClient; triggerId: string },
  { title, waiting }: Pending,
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

/** Shows what `work` finds: in the modal that was acted on, else in one that opens at once. */
export async function fillModal(
  { slack, triggerId, viewId }: Pick<ActionCall<unknown>, 'slack' | 'triggerId' | 'viewId'>,
  { title, waiting }: Pending,
  work: () => Promise<ModalView>,
): Promise<void> {
  if (viewId === undefined) return openPendingModal({ slack, triggerId }, { title, waiting }, work);
  await showInModal(slack, viewId, noticeModal(title, [section(waiting)]));
  await showInModal(slack, viewId, await work());
}

export async function openModal(
  { slack, triggerId }: { slack: SlackClient; triggerId: string },
  view: ModalView,
): Promise<void> {
  await slack.views.open({ trigger_id: triggerId, view });
}

/** Shows another view in a modal. False when nobody sees it: the person has closed it. */
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
