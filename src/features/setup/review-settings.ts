import { randomUUID } from 'node:crypto';
import type { SubmissionInteraction } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import type { CurrentSetup } from '../../workspace/workspace.ts';
import { valuesInForce } from './build-change.ts';
import { compareSetup } from './compare-setup.ts';
import { reviewChange } from './review-change.ts';
import { saveNow } from './save-now.ts';
import type { SetupContext } from './setup-context.ts';
import { savedOverview } from './show-setup.ts';
import { changedMeanwhileModal } from './views/saved-modal.ts';

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
  if (review) return review;
  const wanted = { connection: undefined, settings, tokenOwner };
  const saved = await saveNow(
    call,
    { ...wanted, viewId: submissionId(call), basedOn: revision },
    context,
  );
  return 'done' in saved ? saved : { done: await savedOverview(call, saved, context) };
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
