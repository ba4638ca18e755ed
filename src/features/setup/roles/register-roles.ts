import { z } from 'zod';
import type { Interaction } from '../../../slack/listeners/interaction.ts';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../../slack/listeners/subcommand.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { fillModal, type ModalView } from '../../../slack/ui/modal.ts';
import { isAdmin, notConnected } from '../../workspaces/index.ts';
import { adminsOnly, type SubmitDependencies } from '../submit-setup.ts';
import { accessMessage } from '../views/access-message.ts';
import { editRolesActionId, rolesCallbackId } from '../views/ids.ts';
import { rolesModal, rolesNotice, rolesTitle } from '../views/roles-modal.ts';
import { listChoices } from './list-choices.ts';
import { namedByRole, rolesMetadata } from './roles-form.ts';
import { submitRoles } from './submit-roles.ts';

/** `/belay access`: who has which role, and the form that changes it. */
export function registerRoles(
  listeners: Listeners,
  dependencies: SubmitDependencies,
): Subcommand[] {
  const { store } = dependencies;

  listeners.action(editRolesActionId, z.object({}), async (call) => {
    if (!isAdmin(call.person)) return { reply: notice(adminsOnly) };
    const pending = { title: rolesTitle, waiting: 'Loading roles…' };
    await fillModal(call, pending, () => fillForm(call, call.channelId));
    return undefined;
  });

  async function fillForm(call: Interaction, channelId: string | undefined): Promise<ModalView> {
    const { revision, settings, connection } = await store.readSetup(call.teamId);
    if (!connection) return rolesNotice(notConnected.text);
    const named = namedByRole(settings);
    const choice = await listChoices(Object.values(named).flat(), call.slack, call.log);
    return rolesModal({ named, choice, metadata: { channelId, revision } });
  }

  listeners.verifiedSubmission(rolesCallbackId, {
    metadata: rolesMetadata,
    pending: rolesNotice('Checking people and groups… Nothing has been saved yet.'),
    verify: (call) => submitRoles(call, dependencies),
  });

  return [
    {
      name: 'access',
      about: 'workspace',
      usage: 'access',
      summary: 'Show and change the roles of people and user groups',
      adminsOnly: true,
      async run({ teamId, person }) {
        if (!isAdmin(person)) return notice(adminsOnly);
        return accessMessage(await store.readSettings(teamId));
      },
    },
  ];
}
