import { z } from 'zod';
import type { Interaction } from '../../../slack/listeners/interaction.ts';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { fillModal, type ModalView } from '../../../slack/ui/modal.ts';
import type { StandInStore } from '../../access/index.ts';
import { isAdmin, notConnected } from '../../workspaces/index.ts';
import { adminsOnly, type SubmitDependencies } from '../submit-setup.ts';
import { accessMessage } from '../views/access-message.ts';
import { editRolesActionId, rolesCallbackId, showAccessActionId } from '../views/ids.ts';
import { rolesModal, rolesNotice, rolesTitle } from '../views/roles-modal.ts';
import { listChoices } from './list-choices.ts';
import { namedByRole, rolesMetadata } from './roles-form.ts';
import { submitRoles } from './submit-roles.ts';

export type RolesDependencies = SubmitDependencies & {
  listStandIns: StandInStore['list'];
};

/** `/belay access`: who can do what, and the form that changes the roles. */
export function registerRoles(listeners: Listeners, dependencies: RolesDependencies): Subcommand[] {
  const { store, listStandIns, clock } = dependencies;

  async function showAccess({ teamId, person }: Interaction): Promise<Message> {
    if (!isAdmin(person)) return notice(adminsOnly);
    const standIns = await listStandIns(teamId, clock());
    return accessMessage(await store.readSettings(teamId), standIns);
  }

  listeners.action(showAccessActionId, z.object({}), async (call) => ({
    reply: await showAccess(call),
  }));

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
      run: showAccess,
    },
  ];
}
