import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../../slack/listeners/verified-submission.ts';
import { isAdmin } from '../../workspaces/index.ts';
import { reviewSettings } from '../review-settings.ts';
import { adminsOnly, type SubmitDependencies } from '../submit-setup.ts';
import { rolesModal, rolesNotice } from '../views/roles-modal.ts';
import { changedMeanwhileModal } from '../views/saved-modal.ts';
import { checkRoles } from './check-roles.ts';
import { listChoices } from './list-choices.ts';
import { namedByRole, type RolesMetadata, readRolesForm, toSettings } from './roles-form.ts';

/** Checks the form and shows the change to the admin, who requests its approval. */
export async function submitRoles(
  call: SubmissionInteraction<RolesMetadata>,
  dependencies: SubmitDependencies,
): Promise<VerificationResult> {
  const { person, teamId, slack, log, values, metadata } = call;
  if (!isAdmin(person)) return { done: rolesNotice(adminsOnly) };
  const { store, access } = dependencies;
  const current = await store.readSetup(teamId);
  const { revision, settings, connection } = current;
  if (revision !== metadata.revision || !connection) return { done: changedMeanwhileModal };
  const named = readRolesForm(values, settings, metadata);
  const after = toSettings(settings, named);
  const checked = { named, before: namedByRole(settings), after };
  const errors = await checkRoles(checked, { slack, ...access });
  if (Object.keys(errors).length > 0) {
    const choice = await listChoices(Object.values(named).flat(), slack, log);
    return { errors, retry: rolesModal({ named, choice, metadata, errors }) };
  }
  const review = await reviewSettings(call, { current, settings: after }, dependencies);
  return review ?? { done: rolesNotice('No roles were changed.') };
}
