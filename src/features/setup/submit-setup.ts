import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { admins } from '../../workspace/call.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import type { CurrentSetup } from '../../workspace/workspace.ts';
import { buildChange, valuesOf } from './build-change.ts';
import { checkSlackChoices, maxApprovers } from './check-setup.ts';
import { isAboutAccess } from './compare-setup.ts';
import type { SecondPerson } from './find-second-person.ts';
import { findSlackNotices } from './find-slack-notices.ts';
import { hashRequests, planChange } from './plan-change.ts';
import { requestChange } from './request-change.ts';
import { reviewChange } from './review-change.ts';
import type { SetupContext } from './setup-context.ts';
import { readSetupForm, type SetupForm, type setupForm } from './setup-form.ts';
import { dropReceived, receivedToken } from './token-page/received-token.ts';
import { type VerifiedSetup, verifySetup } from './verify-setup.ts';
import { type confirmForm, confirmModal, reasonField } from './views/confirm-modal.ts';
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
import { refusedSetupModal } from './views/setup-modal.ts';

type Submission = SubmissionOf<typeof setupForm>;

/** The right that every form and button of the setup needs. */
export const needs = admins('Only admins can set up Belay. Nothing was changed.');

/**
 * Checks the form and saves it. What is announced or voids requests is first shown to the admin, and
 * stored until they confirm it.
 */
export async function submitSetup(
  call: Submission,
  context: SetupContext,
): Promise<VerificationResult> {
  const { teamId, slack, metadata } = call;
  const { store, regions } = context;
  // Before the connection is tried: a save during that makes this one stale.
  const current = await store.readSetup(teamId);
  const typed = readSetupForm(call, current.settings);
  if (current.savedFromViewId === submissionId(call)) return { done: savedBeforeModal };
  if (metadata.revision !== current.revision) return { done: changedMeanwhileModal };
  const form = { ...typed, token: typed.token ?? (await receivedToken(call, context)) };
  const verified = await verifySetup(
    { teamId, form, edited: undefined },
    { ...context, checkSlack: (chosen) => checkSlackChoices(chosen, slack) },
  );
  if (verified.result === 'invalid') {
    return {
      errors: verified.errors,
      retry: refusedSetupModal({ regions, form: typed, metadata, ...verified }),
    };
  }
  const { connection: edited, connections } = current;
  // The first setup changes nothing that anybody relies on.
  if (!edited) return saveNow(call, { form, verified, current }, context);

  const { originId, name } = edited;
  const target = connections.length > 1 ? ({ kind: 'edit', originId, name } as const) : undefined;
  const { isUnitChoice, channelId } = metadata;
  const change = buildChange({ form, verified, current, edited, target, isUnitChoice }, context);
  const reviewed = { change, current, connection: verified.connection, channelId };
  const { review, isStored } = await reviewChange(call, reviewed, context);
  if (isStored) await dropReceived(call, context);
  return review ?? saveNow(call, { form, verified, current }, context);
}

/** A form opened from the modal that has saved has the same view id as the form before. */
function submissionId({ viewId, metadata }: Submission): string {
  return metadata.isUnitChoice ? `${viewId}:unit` : viewId;
}

async function saveNow(
  call: Submission,
  { form, verified, current }: { form: SetupForm; verified: VerifiedSetup; current: CurrentSetup },
  context: SetupContext,
): Promise<VerificationResult> {
  const { teamId, enterpriseId, person, metadata, slack, log } = call;
  const { store, clock } = context;
  const { connection, settings, region, units } = verified;
  const { tokenOwner } = form;
  // Before anything is saved, so that a failure of Slack leaves no doubt about that.
  const deciders = [person.slackUserId, ...form.approvers.slice(0, maxApprovers)];
  const notices = await findSlackNotices(deciders, slack);
  const saved = await store.saveSetup({
    teamId,
    enterpriseId,
    connection,
    settings,
    tokenOwner,
    savedBy: person.slackUserId,
    viewId: submissionId(call),
    basedOn: current.revision,
    at: clock(),
  });
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile') return { done: changedMeanwhileModal };
  await dropReceived(call, context);
  log.info({ regionId: region.id, voided: saved.voided.length }, 'setup was saved');
  return {
    done: savedModal({
      values: valuesOf(verified, form),
      tokenOwner,
      units,
      channelId: metadata.channelId,
      voidedCount: saved.voided.length,
      isConnectionNew: connection !== undefined && connection.id !== current.connection?.id,
      isTokenReplaced: connection !== undefined && connection.id === current.connection?.id,
      owner: verified.owner,
      ...notices,
    }),
  };
}

type Confirmation = SubmissionOf<typeof confirmForm>;

/** Saves a reviewed change or requests its approval, unless that has become something else meanwhile. */
export async function confirmSetup(
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
  const reason = reasonField.read(values);
  const { secondPerson } = plan;
  return request(call, { change, current, secondPerson, reason }, context);
}

async function request(
  { teamId, enterpriseId, person, metadata, slack, log }: Confirmation,
  requested: {
    change: SetupChange;
    current: CurrentSetup;
    secondPerson: SecondPerson;
    reason: string;
  },
  context: SetupContext,
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
    context,
  );
  if (!message) return { done: expiredModal };
  log.info({ changeId: change.changeId }, 'approval of a setup change was requested');
  return { done: requestedModal(message) };
}

async function save(
  { teamId, person, metadata, slack, log }: Confirmation,
  change: SetupChange,
  { isAnnounced }: { isAnnounced: boolean },
  { store, clock }: SetupContext,
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
  const owner = change.ownerCheck ?? (tokenOwner === undefined ? 'not_named' : 'known');
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
