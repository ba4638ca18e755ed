import { randomUUID } from 'node:crypto';
import type { SubmissionInteraction } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import type { CurrentSetup } from '../../workspace/workspace.ts';
import { valuesInForce } from './build-change.ts';
import { compareSetup } from './compare-setup.ts';
import { findSlackNotices } from './find-slack-notices.ts';
import { reviewChange } from './review-change.ts';
import type { SetupContext } from './setup-context.ts';
import { savedOverview } from './show-setup.ts';
import { changedMeanwhileModal, savedBeforeModal } from './views/saved-modal.ts';

type SettingsSubmission = SubmissionInteraction<{
  channelId?: string | undefined;
  revision: number;
}>;

/**
 * Shows a change of settings that leaves the connection as it is to the admin, who confirms it, and
 * saves what needs no confirmation. Undefined if it changes nothing.
 */
export async function reviewSettings(
  call: SettingsSubmission,
  { current, settings }: { current: CurrentSetup; settings: WorkspaceSettings },
  context: SetupContext,
): Promise<VerificationResult | undefined> {
  const { connection, revision } = current;
  if (!connection) return { done: changedMeanwhileModal };
  const { regions } = context;
  const { tokenOwner } = connection;
  const change: SetupChange = {
    changeId: randomUUID(),
    basedOn: revision,
    hasNewToken: false,
    before: valuesInForce(connection, current.settings, regions),
    after: valuesInForce(connection, settings, regions),
    tokenOwnerBefore: tokenOwner,
    tokenOwnerAfter: tokenOwner,
  };
  if (compareSetup(change).length === 0) return undefined;
  const { channelId } = call.metadata;
  const reviewed = { change, current, connection: undefined, channelId };
  const { review } = await reviewChange(call, reviewed, context);
  return review ?? saveSettings(call, { settings, tokenOwner, basedOn: revision }, context);
}

async function saveSettings(
  call: SettingsSubmission,
  wanted: { settings: WorkspaceSettings; tokenOwner: string | undefined; basedOn: number },
  context: SetupContext,
): Promise<VerificationResult> {
  const { teamId, enterpriseId, person, slack } = call;
  const { store, clock } = context;
  const deciders = [person.slackUserId, ...wanted.settings.approvers];
  // Before anything is saved, so that a failure of Slack leaves no doubt about that.
  const notices = await findSlackNotices(deciders, slack);
  const saved = await store.saveSetup({
    ...wanted,
    teamId,
    enterpriseId,
    connection: undefined,
    savedBy: person.slackUserId,
    viewId: submissionId(call),
    at: clock(),
  });
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile') return { done: changedMeanwhileModal };
  const voidedCount = saved.voided.length;
  return { done: await savedOverview(call, { voidedCount, ...notices }, context) };
}

/** A form in a modal that has saved before has the same view id. */
export function submissionId({
  viewId,
  metadata,
}: {
  viewId: string;
  metadata: { revision: number };
}): string {
  return `${viewId}:${metadata.revision}`;
}
