import type { SubmissionInteraction } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import type { FormErrors } from '../../slack/ui/form.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import { settingsChange } from './build-change.ts';
import { compareSetup } from './compare-setup.ts';
import { reviewChange } from './review-change.ts';
import { saveNow } from './save-setup.ts';
import type { SetupContext } from './setup-context.ts';
import { savedOverview } from './show-setup.ts';
import { changedMeanwhileModal, savedBeforeModal } from './views/saved-modal.ts';

type SettingsSubmission = SubmissionInteraction<{
  channelId?: string | undefined;
  revision: number;
}>;

/** A form of settings. */
type SettingsForm = {
  /** The settings as the form wants them, or what is wrong with them. */
  read: (
    before: WorkspaceSettings,
  ) => Promise<{ settings: WorkspaceSettings } | { errors: FormErrors; retry: ModalView }>;
  /** The answer if the form changes nothing. */
  showUnchanged: () => ModalView | Promise<ModalView>;
};

/**
 * Shows what a form changes to the admin, who confirms it, and saves what needs no confirmation. The
 * connection stays as it is.
 */
export async function submitSettings(
  call: SettingsSubmission,
  { read, showUnchanged }: SettingsForm,
  context: SetupContext,
): Promise<VerificationResult> {
  const { channelId, revision } = call.metadata;
  const current = await context.store.readSetup(call.teamId);
  const { connection } = current;
  const viewId = submissionId(call);
  if (current.savedFromViewId === viewId) return { done: savedBeforeModal };
  if (current.revision !== revision || !connection) return { done: changedMeanwhileModal };
  const form = await read(current.settings);
  if ('errors' in form) return form;
  const { settings } = form;
  const change = settingsChange(connection, current, settings, context);
  if (compareSetup(change).length === 0) return { done: await showUnchanged() };
  const reviewed = { change, current, connection: undefined, channelId };
  const { review } = await reviewChange(call, reviewed, context);
  if (review) return review;
  const { tokenOwner } = connection;
  const wanted = { connection: undefined, settings, tokenOwner, viewId, basedOn: revision };
  const saved = await saveNow(call, wanted, context);
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
