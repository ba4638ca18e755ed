import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../../slack/listeners/verified-submission.ts';
import { isAdmin, type SetupChange } from '../../workspaces/index.ts';
import { valuesInForce } from '../build-change.ts';
import { compareSetup } from '../compare-setup.ts';
import { reviewChange } from '../review-change.ts';
import { adminsOnly, type SubmitDependencies } from '../submit-setup.ts';
import { rolesModal, rolesNotice } from '../views/roles-modal.ts';
import { changedMeanwhileModal } from '../views/saved-modal.ts';
import { checkRoles } from './check-roles.ts';
import {
  listChoices,
  namedByRole,
  type RolesMetadata,
  readRolesForm,
  toSettings,
} from './roles-form.ts';

/** Checks the form and shows the change to the admin, who requests its approval. */
export async function submitRoles(
  call: SubmissionInteraction<RolesMetadata>,
  dependencies: SubmitDependencies,
): Promise<VerificationResult> {
  const { person, teamId, slack, log, values, metadata } = call;
  if (!isAdmin(person)) return { done: rolesNotice(adminsOnly) };
  const { store, regions, newId, access } = dependencies;
  const current = await store.readSetup(teamId);
  const { revision, settings, connection } = current;
  if (revision !== metadata.revision || !connection) return { done: changedMeanwhileModal };
  const named = readRolesForm(values, settings, metadata);
  const before = namedByRole(settings);
  const errors = await checkRoles(named, before, { slack, ...access });
  if (Object.keys(errors).length > 0) {
    const choice = await listChoices(Object.values(named).flat(), slack, log);
    return { errors, retry: rolesModal({ named, choice, metadata, errors }) };
  }
  const { tokenOwner } = connection;
  const change: SetupChange = {
    ...{ changeId: newId(), basedOn: revision, hasNewToken: false },
    before: valuesInForce(connection, settings, regions),
    after: valuesInForce(connection, toSettings(settings, named), regions),
    ...{ tokenOwnerBefore: tokenOwner, tokenOwnerAfter: tokenOwner },
  };
  if (compareSetup(change).length === 0) return { done: rolesNotice(unchanged) };
  const { channelId } = metadata;
  const reviewed = { change, current, connection: undefined, channelId };
  const { review } = await reviewChange(call, reviewed, dependencies);
  return review ?? { done: changedMeanwhileModal };
}

const unchanged = 'No roles were changed.';
