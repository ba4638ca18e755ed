import type { ActionInteraction } from '../../../slack/listeners/interaction.ts';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import { section } from '../../../slack/ui/blocks.ts';
import { type ModalView, noticeModal, showInModal } from '../../../slack/ui/modal.ts';
import {
  addSetActionId,
  continueActionId,
  editSetActionId,
  moveDownActionId,
  moveUpActionId,
  overviewActionId,
  overviewCallbackId,
  removeSetActionId,
  requestCallbackId,
  setCallbackId,
  startOverActionId,
  typeValuesActionId,
} from '../views/editor-ids.ts';
import { createFormActionId, createFormValue, editActionId, policyValue } from '../views/ids.ts';
import { checkReason, readReason } from '../views/reason-input.ts';
import { pageRef, reviewRef } from './draft.ts';
import { changeSets, showOverview, showSet, showTypedSet } from './edit-overview.ts';
import { type OpenDependencies, openEditor, startOver } from './open-editor.ts';
import { presetNames } from './presets.ts';
import { type RequestDependencies, requestChange } from './request-change.ts';
import { reviewDraft } from './review-draft.ts';
import { saveSet } from './save-set.ts';
import { setPageRef } from './set-page.ts';

export type EditorDependencies = OpenDependencies & RequestDependencies;

/** The forms in which people create and edit policies. Every full member can request a change. */
export function registerPolicyEditor(listeners: Listeners, dependencies: EditorDependencies): void {
  listeners.action(editActionId, policyValue, async (call) => {
    await openEditor({ call, policyId: call.value.policyId }, dependencies);
    return undefined;
  });
  listeners.action(createFormActionId, createFormValue, async (call) => {
    await openEditor({ call, policyId: undefined }, dependencies);
    return undefined;
  });

  for (const actionId of [continueActionId, overviewActionId]) {
    listeners.action(actionId, pageRef, (call) =>
      showPage(call, () => showOverview(call, dependencies)),
    );
  }
  listeners.action(startOverActionId, pageRef, (call) =>
    showPage(call, () => startOver(call, dependencies)),
  );
  for (const actionId of [editSetActionId, ...presetNames.map(addSetActionId)]) {
    listeners.action(actionId, setPageRef, (call) =>
      showPage(call, () => showSet(call, dependencies)),
    );
  }
  listeners.action(typeValuesActionId, setPageRef, (call) =>
    showPage(call, () => showTypedSet(call, dependencies)),
  );
  const steps = [
    [moveUpActionId, 'move-up'],
    [moveDownActionId, 'move-down'],
    [removeSetActionId, 'remove'],
  ] as const;
  for (const [actionId, step] of steps) {
    listeners.action(actionId, setPageRef, (call) =>
      showPage(call, () => changeSets(call, step, dependencies)),
    );
  }

  listeners.verifiedSubmission(setCallbackId, {
    metadata: setPageRef,
    pending: noticeModal('SLA set', [section('Saving the SLA set…')]),
    verify: (call) => saveSet(call, dependencies),
  });
  listeners.verifiedSubmission(overviewCallbackId, {
    metadata: pageRef,
    pending: noticeModal('Review changes', [section('Reading the policy from the service…')]),
    verify: (call) => reviewDraft(call, dependencies),
  });
  listeners.submission(requestCallbackId, {
    metadata: reviewRef,
    check: checkReason,
    typed: readReason,
    run: (call) => requestChange(call, dependencies),
  });
}

/** Replaces the page on which a button was pressed. */
async function showPage(
  { viewId, ...call }: Pick<ActionInteraction<unknown>, 'slack' | 'connection' | 'viewId'>,
  page: () => Promise<ModalView>,
): Promise<undefined> {
  if (viewId !== undefined) await showInModal(call, viewId, await page());
}
