import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { admins } from '../../workspace/call.ts';
import { saveNow } from './save-setup.ts';
import type { SetupContext } from './setup-context.ts';
import { readConnection, type setupForm } from './setup-form.ts';
import { savedOverview } from './show-setup.ts';
import { dropReceived, receivedToken } from './token-page/received-token.ts';
import { verifySetup } from './verify-setup.ts';
import { changedMeanwhileModal, savedBeforeModal } from './views/saved-modal.ts';
import { firstSetupModal } from './views/setup-modal.ts';

/** The right that every form and button of the setup needs. */
export const needs = admins('Only admins can set up Belay. Nothing was changed.');

/** Connects the workspace for the first time, which changes nothing that anybody relies on. */
export async function submitSetup(
  call: SubmissionOf<typeof setupForm>,
  context: SetupContext,
): Promise<VerificationResult> {
  const { teamId, viewId, metadata, entered, values } = call;
  const { store, regions } = context;
  const current = await store.readSetup(teamId);
  if (current.savedFromViewId === viewId) return { done: savedBeforeModal };
  if (current.connection) return { done: changedMeanwhileModal };
  const typed = readConnection(entered, values);
  const form = { ...typed, token: typed.token ?? (await receivedToken(call, context)) };
  const verified = await verifySetup({ teamId, form, edited: undefined }, context);
  if (verified.result === 'invalid') {
    const { errors, units } = verified;
    return { errors, retry: firstSetupModal({ regions, form: typed, units, metadata }) };
  }
  const saved = await saveNow(
    call,
    {
      connection: verified.connection,
      settings: current.settings,
      tokenOwner: undefined,
      viewId,
      basedOn: current.revision,
    },
    context,
  );
  if ('done' in saved) return saved;
  await dropReceived(call, context);
  return { done: await savedOverview(call, { ...saved, units: verified.units }, context) };
}
