import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { SubmissionInteraction } from '../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../slack/listeners/verified-submission.ts';
import { section } from '../../slack/ui/blocks.ts';
import { noticeModal } from '../../slack/ui/modal.ts';
import { announceApprovers } from './announce-approvers.ts';
import { checkOwner, checkSlackChoices } from './check-setup.ts';
import { readSetupForm, type SetupMetadata } from './setup-form.ts';
import { type SetupDependencies, verifySetup } from './verify-setup.ts';
import { changedMeanwhileModal, savedBeforeModal, savedModal } from './views/saved-modal.ts';
import { refusedSetupModal, setupTitle } from './views/setup-modal.ts';

export type SubmitDependencies = Omit<SetupDependencies, 'checkSlack'> & {
  /** Whether the service has a user with this id or address; undefined if that can't be checked. */
  userExists: (connection: ServiceConnection, text: string) => Promise<boolean | undefined>;
};

export const adminsOnly = 'Only admins of this workspace can set up Belay. Nothing was changed.';

/** Checks and saves the form, announces new approvers, and returns the modal with the result. */
export async function submitSetup(
  call: SubmissionInteraction<SetupMetadata>,
  dependencies: SubmitDependencies,
): Promise<VerificationResult> {
  const { person, teamId, enterpriseId, slack, values, metadata, viewId, log } = call;
  if (!person.isAdmin) return { done: noticeModal(setupTitle, [section(adminsOnly)]) };
  const form = readSetupForm(values);
  const submissionId = metadata.isUnitChoice ? `${viewId}:unit` : viewId;
  const savedBy = person.slackUserId;
  const saved = await verifySetup(
    { teamId, enterpriseId, savedBy, viewId: submissionId, basedOn: metadata.revision, form },
    { ...dependencies, checkSlack: (chosen) => checkSlackChoices(chosen, { slack, teamId }) },
  );
  if (saved.result === 'invalid') {
    const { regions } = dependencies;
    return {
      errors: saved.errors,
      retry: refusedSetupModal({ regions, form, metadata, ...saved }),
    };
  }
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile') return { done: changedMeanwhileModal };
  log.info({ regionId: saved.region.id, voided: saved.voided.length }, 'setup was saved');
  const channelIds = [saved.approvalsChannelBefore, form.approvalsChannelId];
  const unannouncedIn = saved.approversChange
    ? await announceApprovers({ ...saved.approversChange, by: savedBy, channelIds }, { slack, log })
    : [];
  const owner = await checkOwner({ teamId, region: saved.region }, dependencies);
  const { channelId } = metadata;
  const voidedCount = saved.voided.length;
  return { done: savedModal({ ...saved, form, owner, voidedCount, unannouncedIn, channelId }) };
}
