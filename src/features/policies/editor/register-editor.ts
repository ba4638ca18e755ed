import type { z } from 'zod';
import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import type { SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import { knownPolicyValues } from '../../../dataprotection/resources/policy-values.ts';
import { notRequestedMessage } from '../../../requests/views/request-fields.ts';
import type {
  ActionInteraction,
  SubmissionInteraction,
  SubmissionOf,
} from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { type ModalView, noticeModal, showInModal } from '../../../slack/ui/modal.ts';
import { submitPolicyChange } from '../changes/submit-change.ts';
import type { PolicyContext } from '../policy-context.ts';
import { editPolicyModal, overviewForm } from '../views/edit-policy-modal.ts';
import {
  addSetActionId,
  continueActionId,
  createFormActionId,
  createFormValue,
  editActionId,
  editSetActionId,
  moveDownActionId,
  moveUpActionId,
  overviewActionId,
  policyValue,
  removeSetActionId,
  startOverActionId,
  typeValuesActionId,
} from '../views/ids.ts';
import { reviewForm } from '../views/request-modals.ts';
import { setForm, slaSetModal } from '../views/sla-set-modal.ts';
import { maxSlaSets, type PageRef, pageRef } from './draft.ts';
import { openEditor, startOver } from './open-editor.ts';
import { type DraftPage, openPage } from './open-page.ts';
import { typedName, withName } from './read-name.ts';
import { readSetForm } from './read-set-form.ts';
import { reviewDraft } from './review-draft.ts';
import { presetNames, type SetPageRef, setPageOf, setPageRef } from './set-page.ts';

/** The forms in which people create and edit policies. Every full member can request a change. */
export function registerPolicyEditor(listeners: Listeners, context: PolicyContext): void {
  listeners.action(editActionId, policyValue, async (call) => {
    await openEditor(call, call.value.policyId, context);
    return undefined;
  });
  listeners.action(createFormActionId, createFormValue, async (call) => {
    await openEditor(call, undefined, context);
    return undefined;
  });

  /** A button on a page, which replaces the page. */
  function replacePage<Ref extends PageRef>(
    actionId: string,
    ref: z.ZodType<Ref>,
    show: (page: DraftPage, call: ActionInteraction<Ref>) => ModalView | Promise<ModalView>,
  ): void {
    listeners.action(actionId, ref, async (call) => {
      if (call.viewId === undefined) return undefined;
      const page = await openPage(call, call.value, context);
      const shown = 'instead' in page ? page.instead : await show(page, call);
      await showInModal(call, call.viewId, shown);
      return undefined;
    });
  }
  for (const actionId of [continueActionId, overviewActionId]) {
    replacePage(actionId, pageRef, ({ draft }) => editPolicyModal(draft));
  }
  replacePage(startOverActionId, pageRef, (page) => startOver(page, context));
  for (const actionId of [editSetActionId, ...presetNames.map(addSetActionId)]) {
    replacePage(actionId, setPageRef, showSet);
  }
  replacePage(typeValuesActionId, setPageRef, showTypedSet);
  replacePage(moveUpActionId, setPageRef, (page, call) => changeSets(page, call, 'move-up'));
  replacePage(moveDownActionId, setPageRef, (page, call) => changeSets(page, call, 'move-down'));
  replacePage(removeSetActionId, setPageRef, (page, call) => changeSets(page, call, 'remove'));

  listeners.form(setForm, {
    pending: noticeModal('Schedule', 'Saving the schedule…'),
    verify: (call) => saveSet(call, context),
  });
  listeners.form(overviewForm, {
    pending: noticeModal('Review changes', 'Reading the policy from the service…'),
    verify: (call) => reviewDraft(call, context),
  });
  listeners.form(reviewForm, { run: (call) => requestChange(call, context) });
}

const savedMeanwhile = notice(
  'Your draft of the policy was saved. Open the form again to continue.',
);

/** Checks the form of one SLA set and saves it in the draft. */
async function saveSet(
  { metadata, values, ...editor }: SubmissionInteraction<SetPageRef>,
  context: PolicyContext,
): Promise<VerificationResult> {
  const page = await openPage(editor, metadata, context);
  if ('instead' in page) return { done: page.instead };
  const { draft, service } = page;
  const { slaSets } = draft.after;
  const setPage = setPageOf(draft, metadata, knownPolicyValues(service.client));
  if (!setPage || setPage.count > Math.max(maxSlaSets, slaSets.length)) {
    return { done: editPolicyModal(draft) };
  }
  const { slaSet, errors } = readSetForm(values, setPage);
  if (errors) return { errors, retry: slaSetModal(setPage, slaSet) };
  const newSets = setPage.isNew ? [...slaSets, slaSet] : slaSets.with(metadata.index, slaSet);
  const done = await saveAndShow(page, { slaSets: newSets });
  return { done, ifClosed: savedMeanwhile };
}

async function saveAndShow(
  { save }: DraftPage,
  changes: Partial<PolicyDefinition>,
): Promise<ModalView> {
  const saved = await save(changes);
  return 'instead' in saved ? saved.instead : editPolicyModal(saved.draft);
}

/** Requests approval of the draft, as it was reviewed. */
async function requestChange(
  call: SubmissionOf<typeof reviewForm>,
  context: PolicyContext,
): Promise<Message> {
  const { metadata: ref, entered } = call;
  const { reason, breakGlass: isBreakGlass } = entered;
  const page = await openPage(call, ref, context);
  if ('instead' in page) return notRequestedMessage(changedMeanwhile, reason);
  const { before, after, policyId, connectionId } = page.draft;
  const change =
    before && policyId !== undefined
      ? { kind: 'replace' as const, policyId, before, after }
      : { kind: 'create' as const, after };
  return submitPolicyChange(
    {
      call: { ...call, service: () => call.service({ connectionId }) },
      channelId: ref.channelId,
      reason,
      change,
      isBreakGlass,
      // A refused request keeps the draft.
      onRequested: page.discard,
    },
    context.approvals,
  );
}

const changedMeanwhile =
  'No request was sent: the draft was changed or replaced in another window. Nothing was changed. Open the policy again to continue.';

type SetButton = Pick<ActionInteraction<SetPageRef>, 'value' | 'values'>;

type SetStep = 'move-up' | 'move-down' | 'remove';

/** Moves or removes an SLA set, and keeps the name that was typed. */
function changeSets(
  page: DraftPage,
  { value: { index }, values }: SetButton,
  step: SetStep,
): Promise<ModalView> {
  const { draft } = page;
  const slaSets = changed(draft.after.slaSets, index, step);
  return saveAndShow(page, { ...withName(draft, typedName(draft, values)), slaSets });
}

function changed(slaSets: SlaSet[], index: number, step: SetStep): SlaSet[] {
  const others = slaSets.toSpliced(index, 1);
  const [moved] = slaSets.slice(index, index + 1);
  if (step === 'remove' || !moved) return others;
  return others.toSpliced(step === 'move-up' ? Math.max(0, index - 1) : index + 1, 0, moved);
}

/** Shows the form of an SLA set, a new one for a preset, and keeps the name that was typed. */
async function showSet(page: DraftPage, { value: ref, values }: SetButton): Promise<ModalView> {
  const name = typedName(page.draft, values);
  const saved = name === page.draft.after.name ? page : await page.save(withName(page.draft, name));
  if ('instead' in saved) return saved.instead;

  const { draft } = saved;
  const known = knownPolicyValues(page.service.client);
  const setPage = setPageOf(draft, { ...ref, revision: draft.revision }, known);
  const isTooMany = ref.preset && draft.after.slaSets.length >= maxSlaSets;
  if (!setPage || isTooMany) return editPolicyModal(draft);
  return slaSetModal(setPage);
}

/** Shows the form of an SLA set again, with texts in place of menus. What was entered stays. */
function showTypedSet({ draft, service }: DraftPage, { value: ref, values }: SetButton): ModalView {
  const setPage = setPageOf(draft, ref, knownPolicyValues(service.client));
  if (!setPage) return editPolicyModal(draft);
  const { slaSet: shown } = readSetForm(values, setPage);
  return slaSetModal({ ...setPage, ref: { ...ref, isTyped: true } }, shown);
}
