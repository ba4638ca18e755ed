import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import { isAboutAccess } from './compare-setup.ts';
import { hashRequests, planChange } from './plan-change.ts';
import { requestChange } from './request-change.ts';
import { saveReviewed } from './save-setup.ts';
import type { SetupContext } from './setup-context.ts';
import { savedOverview } from './show-setup.ts';
import { type confirmForm, confirmModal, reasonField } from './views/confirm-modal.ts';
import {
  aboutAdminModal,
  accessSavedModal,
  changedMeanwhileModal,
  connectionSavedModal,
  expiredModal,
  requestedModal,
  savedBeforeModal,
} from './views/saved-modal.ts';

type Confirmation = SubmissionOf<typeof confirmForm>;

/** Saves a reviewed change or requests its approval, unless that has become something else meanwhile. */
export async function confirmChange(
  call: Confirmation,
  context: SetupContext,
): Promise<VerificationResult> {
  const { person, teamId, metadata, values } = call;
  const { store } = context;
  const { changeId, channelId } = metadata;
  const change = await store.findChange({ teamId, changeId }, person.slackUserId);
  if (!change) {
    const isSaved = await store.isChangeSaved({ teamId, changeId });
    return { done: isSaved ? savedBeforeModal : expiredModal };
  }
  const current = await store.readSetup(teamId);
  if (current.revision !== change.basedOn) return { done: changedMeanwhileModal };

  const plan = await planChange(change, current, call, context);
  if (plan.kind === 'refused') return { done: aboutAdminModal(plan.aboutAdmin) };
  const again = confirmModal({ change, plan, metadata: { channelId, changeId } });
  const isAsShown = plan.kind === metadata.kind && hashRequests(plan.voids) === metadata.voids;
  if (!isAsShown) return { done: again };
  if (plan.kind === 'save') return save(call, change, plan, context);
  const problem = reasonField.check(values);
  if (problem) return { errors: { reason: problem }, retry: again };
  const { enterpriseId, slack } = call;
  const asked = { teamId, enterpriseId, person, slack, channelId, change, current };
  const reason = reasonField.read(values);
  const { secondPerson } = plan;
  const message = await requestChange({ ...asked, secondPerson, reason }, context);
  if (!message) return { done: expiredModal };
  call.log.info({ changeId }, 'approval of a setup change was requested');
  return { done: requestedModal(message) };
}

async function save(
  call: Confirmation,
  change: SetupChange,
  { isAnnounced }: { isAnnounced: boolean },
  context: SetupContext,
): Promise<VerificationResult> {
  const { target, tokenOwnerAfter: tokenOwner } = change;
  const saved = await saveReviewed(call, change, isAnnounced, context);
  if ('done' in saved) return saved;
  const owner = change.ownerCheck ?? (tokenOwner === undefined ? 'not_named' : 'known');
  const isTokenReplaced = change.isSameTenant === true;
  const { voidedCount } = saved;
  if (isAboutAccess(change)) return { done: accessSavedModal(change, voidedCount) };
  if (target) {
    const shown = { owner, tokenOwner, voidedCount, isTokenReplaced };
    return { done: connectionSavedModal(target, shown) };
  }
  const shown = { ...saved, owner, isTokenReplaced };
  return { done: await savedOverview(call, shown, context) };
}
