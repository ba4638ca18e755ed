import type { Interaction, SubmissionInteraction } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { notice } from '../../slack/ui/blocks.ts';
import type { FormErrors } from '../../slack/ui/form.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import { type SetupChange, settingsOf } from '../../workspace/setup-change.ts';
import type { ConnectionSummary, CurrentSetup, NewConnection } from '../../workspace/workspace.ts';
import { settingsChange } from './build-change.ts';
import { compareSetup } from './compare-setup.ts';
import { type Plan, planChange } from './plan-change.ts';
import { saveNow } from './save-setup.ts';
import type { SetupContext } from './setup-context.ts';
import type { ShownSetup, TokenPageForm } from './setup-form.ts';
import { savedModal } from './show-setup.ts';
import { dropReceived } from './token-page/received-token.ts';
import type { VerifiedSetup } from './verify-setup.ts';
import { confirmModal } from './views/confirm-modal.ts';
import { changedMeanwhileModal, savedBeforeModal } from './views/saved-modal.ts';

/** The submission of such a form. */
export type SetupSubmission = SubmissionInteraction<
  ShownSetup & { page?: TokenPageForm | undefined }
>;

/** The setup that the form has shown, with its default connection, or the answer to a stale form. */
export async function readCurrent(
  call: SetupSubmission,
  { store }: SetupContext,
): Promise<{ current: CurrentSetup; connection: ConnectionSummary } | { done: ModalView }> {
  const current = await store.readSetup(call.teamId);
  const { connection, revision, savedFromViewId } = current;
  if (savedFromViewId === submissionId(call)) return { done: savedBeforeModal };
  const isStale = revision !== call.metadata.revision;
  return isStale || !connection ? { done: changedMeanwhileModal } : { current, connection };
}

/** A form in a modal that has saved before has the same view id. */
function submissionId({ viewId, metadata }: SetupSubmission): string {
  return `${viewId}:${metadata.revision}`;
}

/** A form of settings. */
type SettingsForm = {
  /** The settings as the form wants them, or what is wrong with them. */
  read: (
    before: WorkspaceSettings,
  ) => Promise<{ settings: WorkspaceSettings } | { errors: FormErrors; retry: ModalView }>;
  /** The answer if the form changes nothing. */
  showUnchanged: () => ModalView | Promise<ModalView>;
};

/** Submits a form of settings, which leaves the connection as it is. */
export async function submitSettings(
  call: SetupSubmission,
  { read, showUnchanged }: SettingsForm,
  context: SetupContext,
): Promise<VerificationResult> {
  const shown = await readCurrent(call, context);
  if ('done' in shown) return shown;
  const { current, connection } = shown;
  const form = await read(current.settings);
  if ('errors' in form) return form;
  const change = settingsChange(connection, current, form.settings, context);
  if (compareSetup(change).length === 0) return { done: await showUnchanged() };
  return submitChange(call, { change, current }, context);
}

/** Shows a change to the admin, who confirms it, or saves it if it isn't announced and voids nothing. */
export async function submitChange(
  call: SetupSubmission,
  {
    change,
    current,
    verified,
  }: { change: SetupChange; current: CurrentSetup; verified?: VerifiedSetup },
  context: SetupContext,
): Promise<VerificationResult> {
  const { channelId } = call.metadata;
  const connection = verified?.connection;
  const plan = await planChange(change, current, call, context);
  if ('done' in plan) return plan;
  if (plan.kind === 'request' || plan.isAnnounced || plan.voids.length > 0) {
    const done = await reviewChange(call, { change, plan, connection, channelId }, context);
    await dropReceived(call, context);
    return { done, ifClosed: notConfirmed };
  }
  const { target, tokenOwnerAfter: tokenOwner, basedOn, ownerCheck: owner } = change;
  const settings = settingsOf(change);
  const viewId = submissionId(call);
  const wanted = { target, connection, tokenOwner, settings, viewId, basedOn };
  const saved = await saveNow(call, wanted, context);
  if ('done' in saved) return saved;
  await dropReceived(call, context);
  const shown = { ...saved, owner, units: verified?.units };
  return { done: await savedModal(call, change, shown, context) };
}

const notConfirmed = notice(
  'Nothing was saved: the form was closed before the changes were reviewed. Run the command again.',
);

/** Stores a change and shows it to the admin, who confirms it. */
export async function reviewChange(
  { teamId, person }: Interaction,
  {
    change,
    plan,
    connection,
    channelId,
  }: {
    change: SetupChange;
    plan: Plan;
    /** The new connection, or the one that gets a new token. */
    connection?: NewConnection | undefined;
    channelId: string | undefined;
  },
  { store, clock }: SetupContext,
): Promise<ModalView> {
  const { changeId } = change;
  await store.addChange({
    teamId,
    change,
    token: connection?.token,
    tenant: connection?.tenant,
    createdBy: person.slackUserId,
    at: clock(),
  });
  return confirmModal({ change, plan, metadata: { channelId, changeId } });
}
