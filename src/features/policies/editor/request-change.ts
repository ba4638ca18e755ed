import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { readBreakGlass } from '../../approvals/index.ts';
import { type ChangeDependencies, submitPolicyChange } from '../changes/submit-change.ts';
import { notRequestedMessage, readReason } from '../views/reason-input.ts';
import type { PageRef } from './draft.ts';
import { openPage, type PageDependencies } from './open-page.ts';

export type RequestDependencies = PageDependencies & ChangeDependencies;

/** Requests approval of the draft, as it was reviewed. */
export async function requestChange(
  {
    metadata: ref,
    values,
    viewId,
    teamId,
    enterpriseId,
    person,
    slack,
  }: SubmissionInteraction<PageRef>,
  dependencies: RequestDependencies,
): Promise<Message> {
  const reason = readReason(values) ?? '';
  const page = await openPage({ teamId, person }, ref, dependencies);
  if ('instead' in page) return notRequestedMessage(changedMeanwhile, reason);
  const { before, after, policyId, slackUserId } = page.draft;
  const discard = () => dependencies.drafts.discard({ draftId: ref.draftId, teamId, slackUserId });
  const change =
    before && policyId !== undefined
      ? { kind: 'replace' as const, policyId, before, after }
      : { kind: 'create' as const, after };
  return submitPolicyChange(
    {
      teamId,
      enterpriseId,
      person,
      channelId: ref.channelId,
      viewId,
      slack,
      reason,
      change,
      connection: { connectionId: page.draft.connectionId },
      isBreakGlass: readBreakGlass(values),
      // A refused request keeps the draft.
      onRequested: discard,
    },
    dependencies,
  );
}

const changedMeanwhile =
  'No request was sent: the draft was changed or replaced in another window. Nothing was changed. Open the policy again to continue.';
