import { type Policy, writablePolicy } from '../../../dataprotection/resources/policies.ts';
import { offersBreakGlass } from '../../../requests/break-glass/break-glass-right.ts';
import { requirementsOf } from '../../../requests/rules/requirements.ts';
import type {
  Interaction,
  SubmissionInteraction,
} from '../../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { Service } from '../../../workspace/open-service.ts';
import { listAllPolicies } from '../../compliance/index.ts';
import { readCurrentPolicy } from '../changes/read-policy.ts';
import { hasSameContent } from '../difference/canonical.ts';
import { comparePolicies } from '../difference/compare-policies.ts';
import { countApprovals } from '../difference/policy-change.ts';
import type { PolicyContext } from '../policy-context.ts';
import { policyChangedModal, policyGoneModal, uneditableModal } from '../views/draft-modals.ts';
import { editPolicyModal, nameField } from '../views/edit-policy-modal.ts';
import { reviewPolicyModal } from '../views/review-policy-modal.ts';
import type { Draft, PageRef } from './draft.ts';
import { type DraftPage, openPage } from './open-page.ts';
import { readName, typedName, withName } from './read-name.ts';

/** How long a person waits for the service. */
const timeoutMs = 8000;

const notShown = notice(
  'The form was closed before the changes were reviewed. No request was sent. Open the policy again to continue your draft.',
);

/** Checks the whole draft against the service, and shows what a request would change. */
export async function reviewDraft(
  { metadata: ref, values, ...editor }: SubmissionInteraction<PageRef>,
  context: PolicyContext,
): Promise<VerificationResult> {
  const { channelId } = ref;
  const page = await openPage(editor, ref, context);
  if ('instead' in page) return { done: page.instead };
  const { before, after } = page.draft;
  const field = nameField(ref);
  const typed = typedName(page.draft, field.read(values));
  const refuseName = (problem: string) => {
    const shown = { ...page.draft, after: { ...after, name: typed } };
    return { errors: { [field.id]: problem }, retry: editPolicyModal(shown, { channelId }) };
  };
  const read = readName(typed, before?.name);
  if ('problem' in read) return refuseName(read.problem);

  const { name } = read;
  const content = { before, after: withName(page.draft, name) };
  const save = () => (name === after.name ? page : page.save(content));
  let facts: Facts;
  try {
    facts = await readFacts(page, name);
  } catch (error) {
    // The form shows the failure, so that the name would be lost with it.
    await save();
    throw error;
  }
  const { current, duplicate } = facts;
  if (duplicate)
    return refuseName('Another policy already has this name. Choose a different name.');
  const saved = await save();
  if ('instead' in saved) return { done: saved.instead };
  const { draft } = saved;
  const done =
    findObstacle({ draft, service: page.service }, current, channelId) ??
    (await reviewPage(draft, { ...editor, channelId }, context));
  return { done, ifClosed: notShown };
}

type Facts = {
  /** Undefined for a new policy. */
  current: Awaited<ReturnType<typeof readCurrentPolicy>> | undefined;
  duplicate: Policy | undefined;
};

/** The policy as it is now, and another one with the draft's name where the service lists policies. */
async function readFacts({ draft, service: { client } }: DraftPage, name: string): Promise<Facts> {
  const { before, policyId } = draft;
  const isNewName = name !== before?.name;
  const [current, policies] = await Promise.all([
    policyId === undefined ? undefined : readCurrentPolicy(client, policyId),
    isNewName ? listAllPolicies(client, AbortSignal.timeout(timeoutMs)) : undefined,
  ]);
  const key = nameKey(name);
  const duplicate = policies?.find((one) => one.id !== policyId && nameKey(one.name) === key);
  return { current, duplicate };
}

function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** The page that says why there is nothing to review, if so. */
function findObstacle(
  { draft, service: { client } }: { draft: Draft; service: Service },
  current: Facts['current'],
  channelId: string | undefined,
): ModalView | undefined {
  const { before, after } = draft;
  const refuse = (problem: string) => editPolicyModal(draft, { channelId, problems: [problem] });
  if (before && current) {
    if (current.result === 'gone') return policyGoneModal(draft, channelId);
    if (current.result === 'not-offered') return uneditableModal(before.id, 'not-offered');
    const now = writablePolicy(client, current.policy);
    if (!hasSameContent(before, now)) return policyChangedModal(draft, now, channelId);
    if (hasSameContent(before, after)) {
      return refuse("⚠ *Nothing to review.* This draft doesn't change the policy.");
    }
  }
  return after.slaSets.length === 0 ? refuse('⚠ *Add at least one schedule.*') : undefined;
}

async function reviewPage(
  draft: Draft,
  { channelId, ...call }: Reviewer,
  { approvals }: PolicyContext,
): Promise<ModalView> {
  const { before, after } = draft;
  const settings = await call.settings();
  const changes = comparePolicies(before, after);
  const least = before ? countApprovals(changes, settings) : 1;
  const action = before ? ('policies.replace' as const) : ('policies.create' as const);
  const warning = await approvals.warnOfRefusal(call, { action, required: least });
  const { requiredApprovals } = requirementsOf(action, settings, least);
  const mayBreakGlass = offersBreakGlass(call.person, settings, action);
  const needs = { approvals: requiredApprovals, mayBreakGlass };
  const shown = { changes, warning, ...needs };
  return reviewPolicyModal(draft, channelId, shown);
}

type Reviewer = Pick<Interaction, 'teamId' | 'person' | 'slack' | 'settings'> & {
  channelId: string | undefined;
};
