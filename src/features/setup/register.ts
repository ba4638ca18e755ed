import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { notice, section } from '../../slack/ui/blocks.ts';
import { fillModal, noticeModal, openPendingModal } from '../../slack/ui/modal.ts';
import { isAdmin } from '../workspaces/index.ts';
import { type ConfirmDependencies, confirmSetup } from './confirm-setup.ts';
import {
  type ConnectionsDependencies,
  registerConnections,
} from './connections/register-connections.ts';
import { filledSetupModal, type SetupFormDependencies } from './fill-setup-form.ts';
import { confirmMetadata } from './plan-change.ts';
import { type RolesDependencies, registerRoles } from './roles/register-roles.ts';
import { registerRules } from './rules/register-rules.ts';
import { setupMetadata, setupOrigin, tokenPageForm } from './setup-form.ts';
import { adminsOnly, submitSetup } from './submit-setup.ts';
import { sendTokenLink } from './token-page/send-token-link.ts';
import {
  chooseUnitActionId,
  confirmSetupCallbackId,
  openSetupActionId,
  setupCallbackId,
  tokenPageActionId,
} from './views/ids.ts';
import { testingModal, setupTitle as title } from './views/setup-modal.ts';

export type SetupFeatureDependencies = ConfirmDependencies &
  RolesDependencies &
  SetupFormDependencies &
  ConnectionsDependencies;

const pending = { title, waiting: 'Loading the current setup…' };

export function registerSetup(
  listeners: Listeners,
  dependencies: SetupFeatureDependencies,
): Subcommand[] {
  listeners.verifiedSubmission(setupCallbackId, {
    metadata: setupMetadata,
    pending: testingModal(title),
    verify: (call) => submitSetup(call, dependencies),
  });

  listeners.verifiedSubmission(confirmSetupCallbackId, {
    metadata: confirmMetadata,
    pending: noticeModal(title, [section('One moment…')]),
    verify: (call) => confirmSetup(call, dependencies),
  });

  for (const actionId of [chooseUnitActionId, openSetupActionId]) {
    listeners.action(actionId, setupOrigin, async (call) => {
      const { person, value } = call;
      if (!isAdmin(person)) return { reply: notice(adminsOnly) };
      const isUnitChoice = actionId === chooseUnitActionId;
      const origin = { channelId: value.channelId ?? call.channelId, isUnitChoice };
      await fillModal(call, pending, () => filledSetupModal(call, origin, dependencies));
      return undefined;
    });
  }

  listeners.action(tokenPageActionId, tokenPageForm, (call) => sendTokenLink(call, dependencies));

  registerRules(listeners, dependencies);

  return [
    ...registerRoles(listeners, dependencies),
    ...registerConnections(listeners, dependencies),
    {
      name: 'setup',
      about: 'workspace',
      usage: 'setup',
      summary: 'Connect this workspace to the data-protection service and name the approvers',
      adminsOnly: true,
      async run(call) {
        const { person, channelId } = call;
        if (!isAdmin(person)) return notice(adminsOnly);
        const origin = { channelId, isUnitChoice: false };
        await openPendingModal(call, pending, () => filledSetupModal(call, origin, dependencies));
        return undefined;
      },
    },
  ];
}
