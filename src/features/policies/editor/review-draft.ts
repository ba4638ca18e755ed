import { writablePolicy } from '../../../dataprotection/resources/policies.ts';
import type { SubmissionInteraction } from '../../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { Service } from '../../../workspace/open-service.ts';
import { listAllPolicies } from '../../compliance/index.ts';
import { readCurrentPolicy } from '../changes/read-policy.ts';
import { previewChange } from '../changes/submit-change.ts';
import { hasSameContent } from '../difference/canonical.ts';
import type { PolicyContext } from '../policy-context.ts';
import { policyChangedModal, policyGoneModal, uneditableModal } from '../views/draft-modals.ts';
import { editPolicyModal } from '../views/edit-policy-modal.ts';
import { reviewPolicyModal } from '../views/request-modals.ts';
import type { OpenDraft, PageRef } from './draft.ts';
import { type DraftPage, openPage } from './open-page.ts';
import { nameField, readName, typedName, withName } from './read-name.ts';

/** How long a person waits for the service. */
const timeoutMs = 8000;

const notShown = notice(
  'The form was closed before the changes were reviewed. No request was sent. Open the policy again to continue your draft.',
);

/** Checks the whole draft against the service, and shows what a request would change. */
export async function reviewDraft(
  { metadata, values, ...editor }: SubmissionInteraction<PageRef>,
  context: PolicyContext,
): Promise<VerificationResult> {
  const page = await openPage(editor, metadata, context);
  if ('instead' in page) return { done: page.instead };
  const { before, after } = page.draft;
  const typed = typedName(page.draft, values);
  const refuseName = (problem: string) => ({
    errors: { [nameField(page.draft).id]: problem },
    retry: editPolicyModal({ ...page.draft, after: { ...after, name: typed } }),
  });
  const read = readName(typed, before?.name);
  if ('problem' in read) return refuseName(read.problem);

  const { name } = read;
  const save = () => (name === after.name ? page : page.save(withName(page.draft, name)));
  let facts: Facts;
  try {
    facts = await readFacts(page, name);
  } catch (error) {
    // The form shows the failure, so that the name would be lost with it.
    await save();
    throw error;
  }
  if (facts.isDuplicate) {
    return refuseName('Another policy already has this name. Choose a different name.');
  }
  const saved = await save();
  if ('instead' in saved) return { done: saved.instead };
  const { draft } = saved;
  const obstacle = findObstacle(draft, facts.current, page.service);
  if (obstacle) return { done: obstacle, ifClosed: notShown };
  const action = before ? 'policies.replace' : 'policies.create';
  const change = { before, after: draft.after };
  const preview = await previewChange(editor, { action, ...change }, context.approvals);
  return { done: reviewPolicyModal(draft, preview), ifClosed: notShown };
}

type Facts = {
  /** Undefined for a new policy. */
  current: Awaited<ReturnType<typeof readCurrentPolicy>> | undefined;
  /** Whether another policy has the draft's name, where the service lists policies. */
  isDuplicate: boolean;
};

async function readFacts({ draft, service: { client } }: DraftPage, name: string): Promise<Facts> {
  const { before, policyId } = draft;
  const isNewName = name !== before?.name;
  const [current, policies = []] = await Promise.all([
    policyId === undefined ? undefined : readCurrentPolicy(client, policyId),
    isNewName ? listAllPolicies(client, AbortSignal.timeout(timeoutMs)) : undefined,
  ]);
  const key = nameKey(name);
  const isDuplicate = policies.some((one) => one.id !== policyId && nameKey(one.name) === key);
  return { current, isDuplicate };
}

function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** The page that says why there is nothing to review, if so. */
function findObstacle(
  draft: OpenDraft,
  current: Facts['current'],
  { client }: Service,
): ModalView | undefined {
  const { before, after } = draft;
  if (before && current) {
    if (current.result === 'gone') return policyGoneModal(draft);
    if (current.result === 'not-offered') return uneditableModal(before.id, 'not-offered');
    const now = writablePolicy(client, current.policy);
    if (!hasSameContent(before, now)) return policyChangedModal(draft, now);
    if (hasSameContent(before, after)) {
      return editPolicyModal(draft, [
        "⚠ *Nothing to review.* This draft doesn't change the policy.",
      ]);
    }
  }
  if (after.slaSets.length > 0) return undefined;
  return editPolicyModal(draft, ['⚠ *Add at least one schedule.*']);
}
