import type { KnownBlock, ModalView as SlackModalView } from '@slack/types';
import { isViewClosed } from '../api/error-codes.ts';
import type { SlackClient } from '../api/slack-client.ts';
import { type AnswerConnection, connectionLine } from './answer-connection.ts';
import { blocksForModal, type Message, type MessageBlock, plain, section } from './blocks.ts';
import { addBinding } from './codec.ts';
import { limits } from './limits.ts';

/** Slack's type, without blocks of unknown types. */
export type ModalView = SlackModalView & { blocks: KnownBlock[] };

/** A modal without inputs, of mrkdwn or of the blocks of a message. */
export function noticeModal(title: string, content: string | MessageBlock[]): ModalView {
  const blocks = typeof content === 'string' ? [section(content)] : content;
  return {
    type: 'modal',
    title: plain(title, limits.modalTitle),
    close: plain('Close', limits.modalTitle),
    blocks: blocksForModal(blocks).slice(0, limits.blocksPerView),
  };
}

/** A message as a modal. */
export function belayModal({ blocks = [] }: Message): ModalView {
  return noticeModal('Belay', blocks);
}

/** The interaction that opens or changes a modal. */
type ModalOpener = { slack: SlackClient; connection: AnswerConnection | undefined };

/**
 * A modal that comes back with the workspace it was opened in and the connection that it is about,
 * whose name it shows. The functions of this file do this for every modal that they show.
 */
export function bindModal(
  view: ModalView,
  { slack, connection }: { slack: Pick<SlackClient, 'teamId'> } & Omit<ModalOpener, 'slack'>,
): ModalView {
  const { originId, name, isNamed = false } = connection ?? {};
  const binding = { team: slack.teamId, connection: originId ? { originId, isNamed } : undefined };
  const isShown = name !== undefined && isNamed && view.blocks.length < limits.blocksPerView;
  return {
    ...view,
    ...(isShown && { blocks: [connectionLine(name), ...view.blocks] }),
    private_metadata: addBinding(view.private_metadata, binding),
  };
}

const failedModal = noticeModal(
  'Belay',
  "Something went wrong. See Belay's message in the conversation.",
);

/** What a modal shows until its content is there. */
export type Pending = { title: string; waiting: string };

/**
 * Opens a modal with the line `waiting` at once, because a trigger expires after 3 s, and replaces it
 * with the result of `work`, unless the person has closed it. When `work` throws, the modal says so
 * and the listener reports the error. https://docs.slack.dev/surfaces/modals#opening_modals
 */
export async function openPendingModal(
  { triggerId, ...opener }: ModalOpener & { triggerId: string | undefined },
  { title, waiting }: Pending,
  work: () => Promise<ModalView>,
): Promise<void> {
  const viewId = await openModal({ ...opener, triggerId }, pendingModal({ title, waiting }));
  await finishModal(opener, viewId, work);
}

/** What a modal shows until `finishModal` has its content. */
export function pendingModal({ title, waiting }: Pending): ModalView {
  return noticeModal(title, waiting);
}

/** Replaces the view of a modal with the result of `work`, as `openPendingModal` does. */
export async function finishModal(
  opener: ModalOpener,
  viewId: string,
  work: () => Promise<ModalView>,
): Promise<void> {
  try {
    await showInModal(opener, viewId, await work());
  } catch (error) {
    await showInModal(opener, viewId, failedModal).catch(() => undefined);
    throw error;
  }
}

/** Shows the result of `work`: in the modal `viewId` if given, else in one that opens at once. */
export async function fillModal(
  {
    viewId,
    ...opener
  }: ModalOpener & { triggerId: string | undefined; viewId: string | undefined },
  { title, waiting }: Pending,
  work: () => Promise<ModalView>,
): Promise<void> {
  if (viewId === undefined) return openPendingModal(opener, { title, waiting }, work);
  await showInModal(opener, viewId, pendingModal({ title, waiting }));
  await showInModal(opener, viewId, await work());
}

/** What a person wrote would open a modal, which takes a click or a slash command. */
export class NeedsClickError extends Error {
  override name = 'NeedsClickError';
}

/** Returns the id of the modal. @throws {NeedsClickError} without a trigger */
export async function openModal(
  { triggerId, ...opener }: ModalOpener & { triggerId: string | undefined },
  view: ModalView,
): Promise<string> {
  if (triggerId === undefined) throw new NeedsClickError();
  const shown = bindModal(view, opener);
  const opened = await opener.slack.views.open({ trigger_id: triggerId, view: shown });
  const viewId = opened.view?.id;
  if (!viewId) throw new Error('Slack opened a modal without an id');
  return viewId;
}

/** Shows a modal above the one in which somebody clicked, which keeps what was entered. */
export async function pushModal(
  { triggerId, ...opener }: ModalOpener & { triggerId: string },
  view: ModalView,
): Promise<void> {
  await opener.slack.views.push({ trigger_id: triggerId, view: bindModal(view, opener) });
}

/** Replaces the view of a modal. False when the person has closed it. */
export async function showInModal(
  opener: ModalOpener,
  viewId: string,
  view: ModalView,
): Promise<boolean> {
  try {
    await opener.slack.views.update({ view_id: viewId, view: bindModal(view, opener) });
    return true;
  } catch (error) {
    if (isViewClosed(error)) return false;
    throw error;
  }
}
