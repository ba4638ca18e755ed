import { linkToMessage, type MessageRef, updateMessage } from '../slack/api/post.ts';
import type { Approval } from './approval.ts';
import type { RequestContext } from './request-context.ts';
import { undoButton } from './views/approval-buttons.ts';
import { approvalMessage, requesterMessage } from './views/approval-message.ts';

/** Renders requests again that offer to undo what this one, once completed, has undone. */
export async function republishUndone(
  approval: Approval,
  { store, bind }: RequestContext,
): Promise<void> {
  for (const run of approval.runs) {
    if (run.state !== 'completed') continue;
    for (const earlier of await store.findEarlier(approval, run)) {
      const undo = undoButton(earlier, bind(earlier));
      if (undo?.action === approval.action) await store.republishEnded(earlier);
    }
  }
}

/** The message that was clicked on, and the connection on which the change was found undone. */
type UndoneByOthers = { teamId: string; connectionId: string; clickedOn: MessageRef };

/**
 * Removes the button that undoes a request from its messages, after a click found that the change was
 * undone without Belay. Nothing is stored: if the button is rendered again, a click removes it again.
 */
export async function hideUndo(
  { teamId, connectionId, clickedOn }: UndoneByOthers,
  { store, bind, clients, log }: RequestContext,
): Promise<void> {
  const slack = await clients.clientFor(teamId);
  const found = await store.findByMessage(teamId, clickedOn);
  // On another connection the same id may be another subject.
  if (found?.approval.connectionId !== connectionId) return;
  const { approval, requesterCopy } = found;
  const action = bind(approval);
  if (!undoButton(approval, action)) return;
  const { channelId, messageTs } = approval;
  const isUndone = true;
  const update = async (at: MessageRef, shown: ReturnType<typeof approvalMessage>) => {
    await updateMessage(slack, at, shown).catch((error: unknown) => {
      log.warn({ approvalId: approval.id, err: error }, 'a button of a request was not removed');
    });
  };
  if (messageTs) {
    await update({ channelId, messageTs }, approvalMessage(approval, action, [], { isUndone }));
  }
  if (requesterCopy) {
    const link = await linkToMessage(slack, approval, 'View request');
    await update(
      requesterCopy,
      requesterMessage(approval, action, { approvers: [], link, isUndone }),
    );
  }
}
