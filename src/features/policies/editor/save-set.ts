import { knownPolicyValues } from '../../../dataprotection/resources/policy-values.ts';
import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../../slack/listeners/verified-submission.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { editPolicyModal } from '../views/edit-policy-modal.ts';
import { slaSetModal } from '../views/sla-set-modal.ts';
import { maxSlaSets } from './draft.ts';
import { openPage, type PageDependencies, savePage } from './open-page.ts';
import { readSetForm } from './read-set-form.ts';
import { type SetPageRef, setPageOf } from './set-page.ts';

const savedMeanwhile = notice(
  'Your draft of the policy was saved. Open the form again to continue.',
);

/** Checks the form of one SLA set and saves it in the draft. */
export async function saveSet(
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
  if (errors) {
    const problems = Object.values(errors);
    return { errors, retry: slaSetModal(setPage, { shown: slaSet, problems }) };
  }
  const slaSets = setPage.isNew ? [...after.slaSets, slaSet] : after.slaSets.with(index, slaSet);
  const content = { before, after: { ...after, slaSets } };
  const saved = await savePage(page, content, channelId, dependencies);
  const done = 'instead' in saved ? saved.instead : editPolicyModal(saved.draft, { channelId });
  return { done, ifClosed: savedMeanwhile };
}
