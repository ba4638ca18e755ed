import { section } from '../../slack/blocks.ts';
import type { ActionCall } from '../../slack/call.ts';
import { type ModalView, noticeModal, openPendingModal, showInModal } from '../../slack/modal.ts';

const title = 'Alert';
const waiting = 'Asking the data-protection service…';

/** Shows what `work` finds: in the dialog that was acted on, else in one that opens at once. */
export async function fillDialog(
  { slack, triggerId, viewId }: ActionCall<unknown>,
  work: () => Promise<ModalView>,
): Promise<void> {
  if (viewId === undefined) {
    await openPendingModal({ slack, triggerId }, { title, waiting }, work);
    return;
  }
  await showInModal(slack, viewId, noticeModal(title, [section(waiting)]));
  await showInModal(slack, viewId, await work());
}
