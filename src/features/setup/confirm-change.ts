import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { isAboutAccess } from './compare-setup.ts';
import { planChange } from './plan-change.ts';
import { requestChange } from './request-change.ts';
import { saveReviewed } from './save-setup.ts';
import type { SetupContext } from './setup-context.ts';
import { savedModal } from './show-setup.ts';
import {
  type confirmForm,
  confirmModal,
  hashRequests,
  reasonField,
} from './views/confirm-modal.ts';
import {
  accessSavedModal,
  changedMeanwhileModal,
  expiredModal,
  requestedModal,
  savedBeforeModal,
} from './views/saved-modal.ts';

/** Saves a reviewed change or requests its approval, unless that has become something else meanwhile. */
export async function confirmChange(
  call: SubmissionOf<typeof confirmForm>,
  context: SetupContext,
): Promise<VerificationResult> {
  const { person, teamId, metadata, entered, values } = call;
  const { store } = context;
  const { changeId, channelId } = metadata;
  const { reason } = entered;
  const change = await store.findChange({ teamId, changeId }, person.slackUserId);
  if (!change) {
    const isSaved = await store.isChangeSaved({ teamId, changeId });
    return { done: isSaved ? savedBeforeModal : expiredModal };
  }
  const current = await store.readSetup(teamId);
  if (current.revision !== change.basedOn) return { done: changedMeanwhileModal };

  const plan = await planChange(change, current, call, context);
  if ('done' in plan) return plan;
  const again = confirmModal({ change, plan, reason, metadata: { channelId, changeId } });
  const isAsShown = plan.kind === metadata.kind && hashRequests(plan.voids) === metadata.voids;
  if (!isAsShown) return { done: again };
  if (plan.kind === 'save') {
    const saved = await saveReviewed(call, change, plan.isAnnounced, context);
    if ('done' in saved) return saved;
    if (isAboutAccess(change)) return { done: accessSavedModal(change, saved.voidedCount) };
    const owner =
      change.ownerCheck ?? (change.tokenOwnerAfter === undefined ? 'not_named' : 'known');
    return { done: await savedModal(call, change, { ...saved, owner }, context) };
  }
  const problem = reasonField.check(values);
  if (problem) return { errors: { reason: problem }, retry: again };
  const { secondPerson } = plan;
  const asked = { channelId, change, current, secondPerson, reason };
  const message = await requestChange(call, asked, context);
  if (!message) return { done: expiredModal };
  call.log.info({ changeId }, 'approval of a setup change was requested');
  return { done: requestedModal(message) };
}
