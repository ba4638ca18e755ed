import type { Clock } from '../../clock.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { ProbeResult } from '../../dataprotection/probe-connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import { notice, section } from '../../slack/blocks.ts';
import type { Listeners } from '../../slack/listeners.ts';
import { noticeModal, openModal } from '../../slack/modal.ts';
import type { Subcommand } from '../../slack/subcommand.ts';
import { checkSlackChoices } from './check-slack-choices.ts';
import { setupCallbackId } from './ids.ts';
import { redrawVoided } from './redraw-voided.ts';
import { readSetupForm, setupMetadata } from './setup-form.ts';
import { checkingModal, savedBeforeModal, savedModal, setupModal } from './setup-modal.ts';
import { verifySetup } from './verify-setup.ts';
import type { WorkspaceStore } from './workspace-store.ts';

export type WorkspacesDependencies = {
  store: WorkspaceStore;
  regions: Region[];
  probe: (connection: ServiceConnection) => Promise<ProbeResult>;
  redrawApproval: (ref: { teamId: string; id: string }) => Promise<void>;
  describeFailure: (error: unknown) => string;
  clock: Clock;
  newId: () => string;
};

const adminsOnly = 'Only admins of this workspace can set up Belay. Nothing was changed.';

export function registerWorkspaces(
  listeners: Listeners,
  dependencies: WorkspacesDependencies,
): Subcommand[] {
  const { store, regions } = dependencies;

  listeners.verifiedSubmission(setupCallbackId, {
    metadata: setupMetadata,
    checking: checkingModal,
    formWithErrors(errors, values, metadata) {
      const form = readSetupForm(values);
      return setupModal({ regions, form, metadata, refused: { errors, hadToken: !!form.token } });
    },
    async verify({ person, teamId, enterpriseId, slack, values, viewId, log }) {
      if (!person.isAdmin) return { done: noticeModal('Set up Belay', [section(adminsOnly)]) };
      const form = readSetupForm(values);
      const saved = await verifySetup(
        { teamId, enterpriseId, savedBy: person.slackUserId, viewId, form },
        { ...dependencies, checkSlack: (chosen) => checkSlackChoices(chosen, { slack, teamId }) },
      );
      if (saved.result === 'invalid') return { errors: saved.errors };
      if (saved.result === 'saved-before') return { done: savedBeforeModal };
      log.info({ regionId: saved.region.id, voided: saved.voided.length }, 'setup was saved');
      await redrawVoided(saved.voided, { ...dependencies, log });
      return { done: savedModal({ ...saved, form, voidedCount: saved.voided.length }) };
    },
  });

  return [
    {
      name: 'setup',
      usage: 'setup',
      summary: 'Connect this workspace to the data-protection service and name the approvers',
      adminsOnly: true,
      async run({ person, teamId, channelId, triggerId, slack }) {
        if (!person.isAdmin) return notice(adminsOnly);
        const [current, settings] = await Promise.all([
          store.describeConnection(teamId),
          store.readSettings(teamId),
        ]);
        const view = setupModal({
          regions,
          form: {
            regionId: current?.regionId,
            tokenOwner: current?.tokenOwner,
            organizationalUnitId: current?.organizationalUnitId,
            ...settings,
            deleteGraceMinutes: String(settings.deleteGraceMinutes),
            usersPerHour: String(settings.usersPerHour),
          },
          metadata: { channelId, hasStoredToken: current !== undefined },
        });
        await openModal({ slack, triggerId }, view);
        return undefined;
      },
    },
  ];
}
