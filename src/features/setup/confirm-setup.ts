import type { SubmissionInteraction } from '../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../slack/listeners/verified-submission.ts';
import { section } from '../../slack/ui/blocks.ts';
import { noticeModal } from '../../slack/ui/modal.ts';
import type { Approvals } from '../approvals/index.ts';
import { type CurrentSetup, isAdmin, type SetupChange } from '../workspaces/index.ts';
import { isAboutAccess } from './compare-setup.ts';
import type { SecondPerson } from './find-second-person.ts';
import { findSlackNotices } from './find-slack-notices.ts';
import { type ConfirmMetadata, hashRequests, planChange } from './plan-change.ts';
import { type RequestChangeDependencies, requestChange } from './request-change.ts';
import { adminsOnly, type SubmitDependencies } from './submit-setup.ts';
import { confirmModal } from './views/confirm-modal.ts';
import { reasonBlockId } from './views/ids.ts';
import {
  aboutAdminModal,
  accessSavedModal,
  changedMeanwhileModal,
  connectionSavedModal,
  expiredModal,
  requestedModal,
  savedBeforeModal,
  savedModal,
} from './views/saved-modal.ts';
import { setupTitle } from './views/setup-modal.ts';

export type ConfirmDependencies = SubmitDependencies &
  RequestChangeDependencies & { approvals: Pick<Approvals, 'listWaiting' | 'request'> };

type Confirmation = SubmissionInteraction<ConfirmMetadata>;

/** Saves a reviewed change or requests its approval, unless that has become something else meanwhile. */
export async function confirmSetup(
  call: Confirmation,
  dependencies: ConfirmDependencies,
): Promise<VerificationResult> {
  const { person, teamId, metadata, values } = call;
  if (!isAdmin(person)) return { done: noticeModal(setupTitle, [section(adminsOnly)]) };
  const { store } = dependencies;
  const { changeId, channelId } = metadata;
  const change = await store.findChange({ teamId, changeId }, person.slackUserId);
  if (!change) {
    const isSaved = await store.isChangeSaved({ teamId, changeId });
    return { done: isSaved ? savedBeforeModal : expiredModal };
  }
  const current = await store.readSetup(teamId);
  if (current.revision !== change.basedOn) return { done: changedMeanwhileModal };

  const plan = await planChange(change, current, call, dependencies);
  if (plan.kind === 'refused') return { done: aboutAdminModal(plan.aboutAdmin) };
  const again = confirmModal({ change, plan, metadata: { channelId, changeId } });
  const isAsShown = plan.kind === metadata.kind && hashRequests(plan.voids) === metadata.voids;
  if (!isAsShown) return { done: again };
  if (plan.kind === 'save') return save(call, change, plan, dependencies);
  const reason = values.text(reasonBlockId);
  if (!reason) return { errors: { [reasonBlockId]: 'Enter a reason.' }, retry: again };
  const { secondPerson } = plan;
  return request(call, { change, current, secondPerson, reason }, dependencies);
}

async function request(
  { teamId, enterpriseId, person, metadata, slack, log }: Confirmation,
  requested: {
    change: SetupChange;
    current: CurrentSetup;
    secondPerson: SecondPerson;
    reason: string;
  },
  dependencies: ConfirmDependencies,
): Promise<VerificationResult> {
  const { change, current, secondPerson, reason } = requested;
  const message = await requestChange(
    {
      teamId,
      enterpriseId,
      person,
      slack,
      channelId: metadata.channelId,
      change,
      current,
      secondPerson,
      reason,
    },
    dependencies,
  );
  if (!message) return { done: expiredModal };
  log.info({ changeId: change.changeId }, 'approval of a setup change was requested');
  return { done: requestedModal(message) };
}

async function save(
  { teamId, person, metadata, slack, log }: Confirmation,
  change: SetupChange,
  { isAnnounced }: { isAnnounced: boolean },
  { store, clock }: ConfirmDependencies,
): Promise<VerificationResult> {
  const { changeId, after, connectionId, tokenOwnerAfter: tokenOwner } = change;
  const { channelId } = metadata;
  const savedBy = person.slackUserId;
  const deciders = [savedBy, ...after.approvers];
  const notices = await findSlackNotices(deciders, slack);
  const saved = await store.saveChange({ teamId, changeId, savedBy, isAnnounced, at: clock() });
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile') return { done: changedMeanwhileModal };
  log.info({ regionId: after.regionId, voided: saved.voided.length }, 'setup was saved');
  const owner = change.ownerCheck ?? (tokenOwner === undefined ? 'not-named' : 'known');
  const voidedCount = saved.voided.length;
  if (isAboutAccess(change)) return { done: accessSavedModal(change, voidedCount) };
  if (change.target) {
    return {
      done: connectionSavedModal(change.target, {
        owner,
        tokenOwner,
        voidedCount,
        isTokenReplaced: change.isSameTenant === true,
      }),
    };
  }
  return {
    done: savedModal({
      values: after,
      tokenOwner,
      units: [],
      channelId,
      owner,
      voidedCount,
      isTokenReplaced: change.isSameTenant === true,
      isConnectionNew: connectionId !== undefined && !change.isSameTenant,
      ...notices,
    }),
  };
}
