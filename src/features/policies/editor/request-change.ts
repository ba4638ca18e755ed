import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { quote } from '../../../slack/ui/mrkdwn.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { type ChangeDependencies, submitPolicyChange } from '../changes/submit-change.ts';
import { reasonBlockId } from '../views/editor-ids.ts';
import type { PageRef } from './draft.ts';
import { openPage, type PageDependencies } from './open-page.ts';

export type RequestDependencies = PageDependencies & ChangeDependencies;

/** Errors that keep the form open. Slack accepts blank answers. */
export function checkReason(values: ViewValues): Record<string, string> | undefined {
  return values.text(reasonBlockId) ? undefined : { [reasonBlockId]: 'Enter a reason.' };
}

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
  const reason = values.text(reasonBlockId) ?? '';
  const page = await openPage({ teamId, person }, ref, dependencies);
  if ('instead' in page) return changedMeanwhile(reason);
  const { before, after, policyId, slackUserId } = page.draft;
  const discard = () => dependencies.drafts.discard({ draftId: ref.draftId, teamId, slackUserId });
  const change =
    before && policyId !== undefined
      ? { kind: 'replace' as const, policyId, before, after }
      : { kind: 'create' as const, after };
  return submitPolicyChange(
    {
      ...{ teamId, enterpriseId, person, channelId: ref.channelId, viewId, slack, reason, change },
      // A refused request keeps the draft.
      onRequested: discard,
    },
    dependencies,
  );
}

function changedMeanwhile(reason: string): Message {
  const words =
    'No request was sent: the draft was changed or replaced in another window. Nothing was changed. Open the policy again to continue.';
  return notice(`${words}\n\nYour reason was:\n${quote(reason)}`);
}
