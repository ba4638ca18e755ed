import type { KnownBlock, ModalView as SlackModalView } from '@slack/types';
import { isViewClosed } from '../api/error-codes.ts';
import type { SlackClient } from '../api/slack-client.ts';
import { type MessageBlock, plain, section, withoutCharts } from './blocks.ts';
import { addTeam } from './codec.ts';
import { limits } from './limits.ts';

/** Slack's type, without blocks of unknown types. */
export type ModalView = SlackModalView & { blocks: KnownBlock[] };

/** A modal without inputs. Charts are left out: only messages can have them. */
export function noticeModal(title: string, blocks: MessageBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain(title, limits.modalTitle),
    close: plain('Close', limits.modalTitle),
    blocks: withoutCharts(blocks).slice(0, limits.blocksPerView),
  };
}

/** A modal with a submit button. `metadata`, encoded by codec.ts, comes back with the submission. */
export function formModal(options: {
  title: string;
  callbackId: string;
  submit: string;
  /** `Close` for a form that keeps what was entered; `Cancel` by default. */
  close?: string;
  metadata: string;
  blocks: KnownBlock[];
}): ModalView {
  return {
    type: 'modal',
    callback_id: options.callbackId,
    title: plain(options.title, limits.modalTitle),
    submit: plain(options.submit, limits.modalTitle),
    close: plain(options.close ?? 'Cancel', limits.modalTitle),
    private_metadata: options.metadata,
    blocks: options.blocks,
  };
}

/**
 * A modal that comes back with the workspace it was opened in. The functions of this file do this for
 * every modal that they show.
 */
export function bindToTeam(view: ModalView, { teamId }: Pick<SlackClient, 'teamId'>): ModalView {
  return { ...view, private_metadata: addTeam(view.private_metadata, teamId) };
}

const failedModal = noticeModal('Belay', [
  section("Something went wrong. See Belay's message in the conversation."),
]);

/** What a modal shows until its content is there. */
type Pending = { title: string; waiting: string };

/**
 * Opens a modal with the line `waiting` at once, because a trigger expires after 3 s, and replaces it
 * with the result of `work`, unless the person has closed it. When `work` throws, the modal says so
 * and the listener reports the error. https://docs.slack.dev/surfaces/modals#opening_modals
 */
export async function openPendingModal(
  { slack, triggerId }: { slack: SlackClient; triggerId: string },
  { title, waiting }: Pending,
  work: () => Promise<ModalView>,
): Promise<void> {
  const view = bindToTeam(noticeModal(title, [section(waiting)]), slack);
  const opened = await slack.views.open({ trigger_id: triggerId, view });
  const viewId = opened.view?.id;
  if (!viewId) throw new Error('Slack opened a modal without an id');
  try {
    await showInModal(slack, viewId, await work());
  } catch (error) {
    await showInModal(slack, viewId, failedModal).catch(() => undefined);
    throw error;
  }
}

/** Shows the result of `work`: in the modal `viewId` if given, else in one that opens at once. */
export async function fillModal(
  {
    slack,
    triggerId,
    viewId,
  }: { slack: SlackClient; triggerId: string; viewId: string | undefined },
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
  await slack.views.open({ trigger_id: triggerId, view: bindToTeam(view, slack) });
}

/** Shows a modal above the one in which somebody clicked, which keeps what was entered. */
export async function pushModal(
  { slack, triggerId }: { slack: SlackClient; triggerId: string },
  view: ModalView,
): Promise<void> {
  await slack.views.push({ trigger_id: triggerId, view: bindToTeam(view, slack) });
}

/** Replaces the view of a modal. False when the person has closed it. */
export async function showInModal(
  slack: SlackClient,
  viewId: string,
  view: ModalView,
): Promise<boolean> {
  try {
    await slack.views.update({ view_id: viewId, view: bindToTeam(view, slack) });
    return true;
  } catch (error) {
    if (isViewClosed(error)) return false;
    throw error;
  }
}
