import { z } from 'zod';
import type {
  ActionInteraction,
  Interaction,
  SubmissionOf,
} from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../../slack/interactions/subcommand.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { foundErrors } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { notConnected } from '../../../workspace/open-service.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import type { SetupContext } from '../setup-context.ts';
import { submitSettings } from '../submit-change.ts';
import { needs } from '../submit-setup.ts';
import { accessMessage } from '../views/access-message.ts';
import { editRolesActionId, showAccessActionId } from '../views/ids.ts';
import {
  namedByRole,
  readRolesForm,
  roleNames,
  rolesForm,
  rolesModal,
  rolesNotice,
  rolesTitle,
  toSettings,
} from '../views/roles-form.ts';
import { checkNamed } from './check-members.ts';
import { listChoices } from './list-choices.ts';

/** `/belay access`: who can do what, and the form that changes the roles. */
export function registerRoles(listeners: Listeners, context: SetupContext): Subcommand[] {
  const { store, listStandIns, clock } = context;

  async function showAccess({ teamId, settings }: Interaction): Promise<Message> {
    const standIns = await listStandIns(teamId, clock());
    return accessMessage(await settings(), standIns);
  }

  listeners.action(
    showAccessActionId,
    z.object({}),
    async (call) => ({ reply: await showAccess(call) }),
    { needs },
  );

  listeners.opens(editRolesActionId, z.object({}), {
    needs,
    title: rolesTitle,
    waiting: 'Loading roles…',
    fill: fillForm,
  });

  async function fillForm(call: ActionInteraction<unknown>): Promise<ModalView> {
    const { revision, settings, connection } = await store.readSetup(call.teamId);
    if (!connection) return rolesNotice(notConnected.text);
    const named = namedByRole(settings);
    const choice = await listChoices(Object.values(named).flat(), call.slack, call.log);
    return rolesModal({ named, choice, metadata: { channelId: call.channelId, revision } });
  }

  listeners.form(rolesForm, {
    needs,
    pending: rolesNotice('Checking people and groups… Nothing has been saved yet.'),
    verify: (call) =>
      submitSettings(
        call,
        {
          read: (before) => readRoles(call, before, context),
          showUnchanged: () => rolesNotice('No roles were changed.'),
        },
        context,
      ),
  });

  return [
    {
      name: 'access',
      about: 'workspace',
      usage: 'access',
      summary: 'Show and change the roles of people and user groups',
      needs,
      isListedFor: ({ person }) => person.isAdmin,
      run: showAccess,
    },
  ];
}

/** The settings with the roles of the form, or the form again. */
async function readRoles(
  { slack, log, values, metadata }: SubmissionOf<typeof rolesForm>,
  settings: WorkspaceSettings,
  { access }: SetupContext,
) {
  const named = readRolesForm(values, settings, metadata);
  const after = toSettings(settings, named);
  const before = namedByRole(settings);
  const fields = roleNames
    .filter((role) => named[role].join() !== before[role].join())
    .map((role): [string, string[]] => [role, named[role]]);
  const shown = { after, first: 'viewers', hasGroups: metadata.hasGroups };
  const errors = await checkNamed(fields, shown, { slack, ...access });
  if (!foundErrors(errors)) return { settings: after };
  const choice = await listChoices(Object.values(named).flat(), slack, log);
  return { errors, retry: rolesModal({ named, choice, metadata }) };
}
