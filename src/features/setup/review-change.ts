import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import type { CurrentSetup, NewConnection } from '../../workspace/workspace.ts';
import { planChange } from './plan-change.ts';
import type { SetupContext } from './setup-context.ts';
import { confirmModal } from './views/confirm-modal.ts';
import { showsExactly } from './views/format-setup-change.ts';
import { aboutAdminModal } from './views/saved-modal.ts';
import { setupTitle } from './views/setup-modal.ts';

type Review = Extract<VerificationResult, { done: ModalView }>;

const notConfirmed = notice(
  'Nothing was saved: the form was closed before the changes were reviewed. Run the command again.',
);

const notShownModal = noticeModal(
  setupTitle,
  'Nothing was saved: the change is too long to show to approvers in full. Shorten the changed values, or change fewer of them at once.',
);

/**
 * Stores a change and shows it to the admin, who confirms it. `review` is undefined for a change that
 * needs no review, because it isn't announced and voids nothing.
 */
export async function reviewChange(
  call: Interaction,
  {
    change,
    current,
    connection,
    channelId,
  }: {
    change: SetupChange;
    current: CurrentSetup;
    /** The new connection, or the one that gets a new token. */
    connection: NewConnection | undefined;
    channelId: string | undefined;
  },
  context: SetupContext,
): Promise<{ review: Review | undefined; isStored: boolean }> {
  const unstored = (review: Review | undefined) => ({ review, isStored: false });
  if (!showsExactly(change)) return unstored({ done: notShownModal });
  const plan = await planChange(change, current, call, context);
  if (plan.kind === 'refused') return unstored({ done: aboutAdminModal(plan.aboutAdmin) });
  if (plan.kind === 'save' && !plan.isAnnounced && plan.voids.length === 0) {
    return unstored(undefined);
  }
  const { teamId, enterpriseId, person } = call;
  await context.store.addChange({
    teamId,
    enterpriseId,
    change,
    token: connection?.token,
    tenant: connection?.tenant,
    createdBy: person.slackUserId,
    at: context.clock(),
  });
  const { changeId } = change;
  const done = confirmModal({ change, plan, metadata: { channelId, changeId } });
  return { review: { done, ifClosed: notConfirmed }, isStored: true };
}
