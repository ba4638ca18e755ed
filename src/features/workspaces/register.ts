import type { Clock } from '../../clock.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { ProbeResult } from '../../dataprotection/probe-connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../dataprotection/resources/organizational-units.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { notice, section } from '../../slack/ui/blocks.ts';
import { fillModal, noticeModal, openPendingModal } from '../../slack/ui/modal.ts';
import { announceApprovers } from './announce-approvers.ts';
import { checkOwner, checkSlackChoices } from './check-setup.ts';
import { filledSetupModal } from './fill-setup-form.ts';
import { readSetupForm, setupMetadata, setupOrigin } from './setup-form.ts';
import type { WorkspaceStore } from './store/workspace-store.ts';
import { verifySetup } from './verify-setup.ts';
import { chooseUnitActionId, setupCallbackId } from './views/ids.ts';
import { changedMeanwhileModal, savedBeforeModal, savedModal } from './views/saved-modal.ts';
import { checkingModal, refusedSetupModal, setupTitle as title } from './views/setup-modal.ts';

export type WorkspacesDependencies = {
  store: WorkspaceStore;
  regions: Region[];
  probe: (connection: ServiceConnection) => Promise<ProbeResult>;
  listUnits: (connection: ServiceConnection) => Promise<OrganizationalUnit[] | undefined>;
  /** Whether the service has a user with this id or address; undefined if that can't be checked. */
  knowsUser: (connection: ServiceConnection, text: string) => Promise<boolean | undefined>;
  describeFailure: (error: unknown) => string;
  clock: Clock;
  newId: () => string;
};

const adminsOnly = 'Only admins of this workspace can set up Belay. Nothing was changed.';
const adminsOnlyModal = noticeModal(title, [section(adminsOnly)]);
const pending = { title, waiting: 'Reading what is set up…' };

export function registerWorkspaces(
  listeners: Listeners,
  dependencies: WorkspacesDependencies,
): Subcommand[] {
  const { regions } = dependencies;

  listeners.verifiedSubmission(setupCallbackId, {
    metadata: setupMetadata,
    pending: checkingModal,
    async verify({ person, teamId, enterpriseId, slack, values, metadata, viewId, log }) {
      if (!person.isAdmin) return { done: adminsOnlyModal };
      const form = readSetupForm(values);
      const submissionId = metadata.isUnitChoice ? `${viewId}:unit` : viewId;
      const savedBy = person.slackUserId;
      const saved = await verifySetup(
        { teamId, enterpriseId, savedBy, viewId: submissionId, basedOn: metadata.revision, form },
        { ...dependencies, checkSlack: (chosen) => checkSlackChoices(chosen, { slack, teamId }) },
      );
      if (saved.result === 'invalid') {
        return {
          errors: saved.errors,
          retry: refusedSetupModal({ regions, form, metadata, ...saved }),
        };
      }
      if (saved.result === 'saved-before') return { done: savedBeforeModal };
      if (saved.result === 'changed-meanwhile') return { done: changedMeanwhileModal };
      log.info({ regionId: saved.region.id, voided: saved.voided.length }, 'setup was saved');
      const channelIds = [saved.approvalsChannelBefore, form.approvalsChannelId];
      const unannouncedIn = saved.approversChange
        ? await announceApprovers(
            { ...saved.approversChange, by: savedBy, channelIds },
            { slack, log },
          )
        : [];
      const owner = await checkOwner({ teamId, region: saved.region }, dependencies);
      const { channelId } = metadata;
      const voidedCount = saved.voided.length;
      return { done: savedModal({ ...saved, form, owner, voidedCount, unannouncedIn, channelId }) };
    },
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
