import type { SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import { knownPolicyValues } from '../../../dataprotection/resources/policy-values.ts';
import type { Approvals } from '../../../requests/approvals.ts';
import { notRequestedMessage } from '../../../requests/views/request-fields.ts';
import type {
  ActionInteraction,
  SubmissionInteraction,
  SubmissionOf,
} from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import { type Message, notice, section } from '../../../slack/ui/blocks.ts';
import { type ModalView, noticeModal, showInModal } from '../../../slack/ui/modal.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { submitPolicyChange } from '../changes/submit-change.ts';
import { editPolicyModal, nameField, overviewForm } from '../views/edit-policy-modal.ts';
import {
  addSetActionId,
  continueActionId,
  editSetActionId,
  moveDownActionId,
  moveUpActionId,
  overviewActionId,
  removeSetActionId,
  startOverActionId,
  typeValuesActionId,
} from '../views/editor-ids.ts';
import { createFormActionId, createFormValue, editActionId, policyValue } from '../views/ids.ts';
import { reviewForm } from '../views/review-policy-modal.ts';
import { setForm, slaSetModal } from '../views/sla-set-modal.ts';
import { maxSlaSets, type PageRef, pageRef } from './draft.ts';
import { openEditor, startOver } from './open-editor.ts';
import { type Editor, openPage, type PageDependencies, savePage } from './open-page.ts';
import { presetNames } from './presets.ts';
import { typedName } from './read-name.ts';
import { readSetForm } from './read-set-form.ts';
import { reviewDraft } from './review-draft.ts';
import { type SetPageRef, setPageOf, setPageRef } from './set-page.ts';

export type EditorDependencies = PageDependencies & { approvals: Approvals };

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

  listeners.form(setForm, {
    pending: noticeModal('Schedule', [section('Saving the schedule…')]),
    verify: (call) => saveSet(call, dependencies),
  });
  listeners.form(overviewForm, {
    pending: noticeModal('Review changes', [section('Reading the policy from the service…')]),
    verify: (call) => reviewDraft(call, dependencies),
  });
  listeners.form(reviewForm, { run: (call) => requestChange(call, dependencies) });
}

/** Replaces the page on which a button was pressed. */
async function showPage(
  { viewId, ...call }: Pick<ActionInteraction<unknown>, 'slack' | 'connection' | 'viewId'>,
  page: () => Promise<ModalView>,
): Promise<undefined> {
  if (viewId !== undefined) await showInModal(call, viewId, await page());
}

const savedMeanwhile = notice(
  'Your draft of the policy was saved. Open the form again to continue.',
);

/** Checks the form of one SLA set and saves it in the draft. */
async function saveSet(
  { metadata, values, ...editor }: SubmissionInteraction<SetPageRef>,
  dependencies: PageDependencies,
): Promise<VerificationResult> {
  const { channelId, index } = metadata;
  const page = await openPage(editor, metadata, dependencies);
  if ('instead' in page) return { done: page.instead };
  const { before, after } = page.draft;
  const setPage = setPageOf(page.draft, metadata, knownPolicyValues(page.service.client));
  if (!setPage || setPage.count > Math.max(maxSlaSets, after.slaSets.length)) {
    return { done: editPolicyModal(page.draft, { channelId }) };
  }
  const { slaSet, errors } = readSetForm(values, setPage);
  if (errors) return { errors, retry: slaSetModal(setPage, slaSet) };
  const slaSets = setPage.isNew ? [...after.slaSets, slaSet] : after.slaSets.with(index, slaSet);
  const content = { before, after: { ...after, slaSets } };
  const saved = await savePage(page, content, channelId, dependencies);
  const done = 'instead' in saved ? saved.instead : editPolicyModal(saved.draft, { channelId });
  return { done, ifClosed: savedMeanwhile };
}

/** Requests approval of the draft, as it was reviewed. */
async function requestChange(
  call: SubmissionOf<typeof reviewForm>,
  dependencies: EditorDependencies,
): Promise<Message> {
  const { metadata: ref, entered, teamId } = call;
  const { reason, breakGlass: isBreakGlass } = entered;
  const page = await openPage(call, ref, dependencies);
  if ('instead' in page) return notRequestedMessage(changedMeanwhile, reason);
  const { before, after, policyId, slackUserId, connectionId } = page.draft;
  const discard = () => dependencies.drafts.discard({ draftId: ref.draftId, teamId, slackUserId });
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
      onRequested: discard,
    },
    dependencies.approvals,
  );
}

const changedMeanwhile =
  'No request was sent: the draft was changed or replaced in another window. Nothing was changed. Open the policy again to continue.';

type Press<Ref> = Editor & { value: Ref; values: ViewValues };

type SetStep = 'move-up' | 'move-down' | 'remove';

/** Moves or removes an SLA set, and keeps the name that was typed. */
async function changeSets(
  { value: ref, values, ...editor }: Press<SetPageRef>,
  step: SetStep,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const { channelId, index } = ref;
  const page = await openPage(editor, ref, dependencies);
  if ('instead' in page) return page.instead;
  const { before, after } = page.draft;
  const name = typedName(page.draft, nameField(ref).read(values));
  const slaSets = changed(after.slaSets, index, step);
  const content = { before, after: { ...after, name, slaSets } };
  const saved = await savePage(page, content, channelId, dependencies);
  return 'instead' in saved ? saved.instead : editPolicyModal(saved.draft, { channelId });
}

function changed(slaSets: SlaSet[], index: number, step: SetStep): SlaSet[] {
  const others = slaSets.toSpliced(index, 1);
  const [moved] = slaSets.slice(index, index + 1);
  if (step === 'remove' || !moved) return others;
  return others.toSpliced(step === 'move-up' ? Math.max(0, index - 1) : index + 1, 0, moved);
}

/** Shows the form of an SLA set, a new one for a preset, and keeps the name that was typed. */
async function showSet(
  { value: ref, values, ...editor }: Press<SetPageRef>,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const { channelId } = ref;
  const page = await openPage(editor, ref, dependencies);
  if ('instead' in page) return page.instead;
  const { before, after } = page.draft;
  const name = typedName(page.draft, nameField(page.draft).read(values));
  const saved =
    name === after.name
      ? page
      : await savePage(page, { before, after: { ...after, name } }, channelId, dependencies);
  if ('instead' in saved) return saved.instead;

  const { draft } = saved;
  const known = knownPolicyValues(page.service.client);
  const setPage = setPageOf(draft, { ...ref, revision: draft.revision }, known);
  const isTooMany = ref.preset && draft.after.slaSets.length >= maxSlaSets;
  if (!setPage || isTooMany) return editPolicyModal(draft, { channelId });
  return slaSetModal(setPage);
}

/** Shows the form of an SLA set again, with texts in place of menus. What was entered stays. */
async function showTypedSet(
  { value, values, ...editor }: Press<SetPageRef>,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const page = await openPage(editor, value, dependencies);
  if ('instead' in page) return page.instead;
  const known = knownPolicyValues(page.service.client);
  const setPage = setPageOf(page.draft, value, known);
  if (!setPage) return editPolicyModal(page.draft, { channelId: value.channelId });
  const { slaSet: shown } = readSetForm(values, setPage);
  return slaSetModal({ ...setPage, ref: { ...value, isTyped: true } }, shown);
}

async function showOverview(
  { value: ref, ...editor }: Press<PageRef>,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const page = await openPage(editor, ref, dependencies);
  if ('instead' in page) return page.instead;
  return editPolicyModal(page.draft, { channelId: ref.channelId });
}
