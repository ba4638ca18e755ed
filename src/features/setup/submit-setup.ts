import type { SubmissionInteraction } from '../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../slack/listeners/verified-submission.ts';
import { section } from '../../slack/ui/blocks.ts';
import { noticeModal } from '../../slack/ui/modal.ts';
import { type CurrentSetup, isAdmin, type WorkspaceStore } from '../workspaces/index.ts';
import { buildChange, valuesOf } from './build-change.ts';
import { checkSlackChoices, maxApprovers } from './check-setup.ts';
import { findSlackNotices } from './find-slack-notices.ts';
import { type ReviewDependencies, reviewChange } from './review-change.ts';
import { readSetupForm, type SetupForm, type SetupMetadata } from './setup-form.ts';
import { dropReceived, receivedToken } from './token-page/received-token.ts';
import type { TokenPages } from './token-page/serve-token-page.ts';
import { type SetupDependencies, type VerifiedSetup, verifySetup } from './verify-setup.ts';
import { changedMeanwhileModal, savedBeforeModal, savedModal } from './views/saved-modal.ts';
import { refusedSetupModal, setupTitle } from './views/setup-modal.ts';

export type SubmitDependencies = Omit<SetupDependencies, 'checkSlack' | 'store'> &
  ReviewDependencies & {
    store: WorkspaceStore;
    tokenPages: TokenPages;
  };

type Submission = SubmissionInteraction<SetupMetadata>;

export const adminsOnly = 'Only admins can set up Belay. Nothing was changed.';

/**
 * Checks the form and saves it. What is announced or voids requests is first shown to the admin, and
 * stored until they confirm it.
 */
export async function submitSetup(
  call: Submission,
  dependencies: SubmitDependencies,
): Promise<VerificationResult> {
  const { person, teamId, slack, values, metadata } = call;
  if (!isAdmin(person)) return { done: noticeModal(setupTitle, [section(adminsOnly)]) };
  const { store, regions } = dependencies;
  // Before the connection is tried: a save during that makes this one stale.
  const current = await store.readSetup(teamId);
  const typed = readSetupForm(values, current.settings);
  if (current.savedFromViewId === submissionId(call)) return { done: savedBeforeModal };
  if (metadata.revision !== current.revision) return { done: changedMeanwhileModal };
  const form = { ...typed, token: typed.token ?? (await receivedToken(call, dependencies)) };
  const verified = await verifySetup(
    { teamId, form, edited: undefined },
    { ...dependencies, checkSlack: (chosen) => checkSlackChoices(chosen, slack) },
  );
  if (verified.result === 'invalid') {
    return {
      errors: verified.errors,
      retry: refusedSetupModal({ regions, form: typed, metadata, ...verified }),
    };
  }
  const { connection: edited, connections } = current;
  // The first setup changes nothing that anybody relies on.
  if (!edited) return saveNow(call, { form, verified, current }, dependencies);

  const { originId, name } = edited;
  const target = connections.length > 1 ? ({ kind: 'edit', originId, name } as const) : undefined;
  const { isUnitChoice, channelId } = metadata;
  const change = buildChange(
    { form, verified, current, edited, target, isUnitChoice },
    dependencies,
  );
  const reviewed = { change, current, connection: verified.connection, channelId };
  const { review, isStored } = await reviewChange(call, reviewed, dependencies);
  if (isStored) await dropReceived(call, dependencies);
  return review ?? saveNow(call, { form, verified, current }, dependencies);
}

/** A form opened from the modal that has saved has the same view id as the form before. */
function submissionId({ viewId, metadata }: Submission): string {
  return metadata.isUnitChoice ? `${viewId}:unit` : viewId;
}

async function saveNow(
  call: Submission,
  { form, verified, current }: { form: SetupForm; verified: VerifiedSetup; current: CurrentSetup },
  dependencies: SubmitDependencies,
): Promise<VerificationResult> {
  const { teamId, enterpriseId, person, metadata, slack, log } = call;
  const { store, clock } = dependencies;
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
  await dropReceived(call, dependencies);
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
