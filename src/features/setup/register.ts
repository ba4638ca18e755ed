import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { fillModal, openPendingModal } from '../../slack/ui/modal.ts';
import { filledSetupModal, type SetupFormDependencies } from './fill-setup-form.ts';
import { setupMetadata, setupOrigin } from './setup-form.ts';
import { adminsOnly, type SubmitDependencies, submitSetup } from './submit-setup.ts';
import { chooseUnitActionId, setupCallbackId } from './views/ids.ts';
import { checkingModal, setupTitle as title } from './views/setup-modal.ts';

export type SetupFeatureDependencies = SubmitDependencies & SetupFormDependencies;

const pending = { title, waiting: 'Reading what is set up…' };

export function registerSetup(
  listeners: Listeners,
  dependencies: SetupFeatureDependencies,
): Subcommand[] {
  listeners.verifiedSubmission(setupCallbackId, {
    metadata: setupMetadata,
    pending: checkingModal,
    verify: (call) => submitSetup(call, dependencies),
  });

  listeners.action(chooseUnitActionId, setupOrigin, async (call) => {
    const { person, teamId, value } = call;
    if (!person.isAdmin) return { reply: notice(adminsOnly) };
    const origin = { channelId: value.channelId, isUnitChoice: true };
    await fillModal(call, pending, () => filledSetupModal(teamId, origin, dependencies));
    return undefined;
  });

  return [
    {
      name: 'setup',
      usage: 'setup',
      summary: 'Connect this workspace to the data-protection service and name the approvers',
      adminsOnly: true,
      async run(call) {
        const { person, teamId, channelId } = call;
        if (!person.isAdmin) return notice(adminsOnly);
        const origin = { channelId, isUnitChoice: false };
        await openPendingModal(call, pending, () => filledSetupModal(teamId, origin, dependencies));
        return undefined;
      },
    },
  ];
}
