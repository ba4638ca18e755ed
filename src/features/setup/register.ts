import type { ActionInteraction, ActionResponse } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { noticeModal, openPendingModal, pushModal } from '../../slack/ui/modal.ts';
import { registerSettings } from './change-setting.ts';
import { confirmChange } from './confirm-change.ts';
import { connectionGone } from './connections/connection-forms.ts';
import { registerConnections } from './connections/register-connections.ts';
import { registerRoles } from './roles/register-roles.ts';
import { registerRules } from './rules/register-rules.ts';
import type { SetupContext } from './setup-context.ts';
import {
  newConnection,
  setupForm,
  setupOrigin,
  type TokenPageForm,
  tokenPageForm,
} from './setup-form.ts';
import { showSetup } from './show-setup.ts';
import { needs, submitSetup } from './submit-setup.ts';
import { tokenPagePath } from './token-page/serve-token-page.ts';
import { confirmForm } from './views/confirm-modal.ts';
import { openSetupActionId, tokenPageActionId } from './views/ids.ts';
import { testingModal, setupTitle as title } from './views/setup-modal.ts';
import { tokenLinkModal } from './views/token-link.ts';

const pending = { title, waiting: 'Loading the current setup…' };

export function registerSetup(listeners: Listeners, context: SetupContext): Subcommand[] {
  listeners.form(setupForm, {
    needs,
    pending: testingModal(title),
    verify: (call) => submitSetup(call, context),
  });

  listeners.form(confirmForm, {
    needs,
    pending: noticeModal(title, 'One moment…'),
    verify: (call) => confirmChange(call, context),
  });

  listeners.opens(openSetupActionId, setupOrigin, {
    ...pending,
    needs,
    fill: (call) => showSetup(call, { channelId: call.value.channelId ?? call.channelId }, context),
  });

  listeners.action(tokenPageActionId, tokenPageForm, (call) => sendTokenLink(call, context), {
    needs,
  });

  registerSettings(listeners, context);
  registerRules(listeners, context);

  return [
    ...registerRoles(listeners, context),
    ...registerConnections(listeners, context),
    {
      name: 'setup',
      about: 'workspace',
      usage: 'setup',
      summary: 'Connect this workspace to the data-protection service, and change its settings',
      needs,
      isListedFor: ({ person }) => person.isAdmin,
      async run(call) {
        const { channelId } = call;
        await openPendingModal(call, pending, () => showSetup(call, { channelId }, context));
        return undefined;
      },
    },
  ];
}

/** Shows the admin, above the form, the link to a page that takes the token for the form. */
async function sendTokenLink(
  call: ActionInteraction<TokenPageForm>,
  { tokenPages, store, clock }: SetupContext,
): Promise<ActionResponse | undefined> {
  const { person, teamId, slack, value } = call;
  if (!tokenPages) {
    return {
      reply: notice(
        "Belay's web page for tokens is no longer available. Open the form again and enter the token there.",
      ),
    };
  }
  const { formId, tokenFor } = value;
  const [{ team }, connections] = await Promise.all([
    slack.auth.test(),
    store.listConnections(teamId),
  ]);
  const isNew = tokenFor === newConnection;
  const connection = connections.find(({ originId }) => originId === tokenFor);
  if (!connection && !isNew && connections.length > 0) return { reply: connectionGone };
  const name = connections.length > 1 ? connection?.name : undefined;
  const link = await tokenPages.store.create({
    teamId,
    formId,
    createdBy: person.slackUserId,
    at: clock(),
    shown: {
      workspace: team ?? teamId,
      admin: person.name ?? person.slackUserId,
      connection: isNew ? 'a new connection' : name,
      tokenFor,
    },
  });
  const address = `${tokenPages.publicUrl}${tokenPagePath}?link=${link}`;
  await pushModal(call, tokenLinkModal(address));
  return undefined;
}
