import type { Clock } from '../clock.ts';
import type { WorkspaceStore } from './store/workspace-store.ts';

/** The setup of a workspace, opened for a request to change it. */
export type SettingsTarget = {
  connectionId: string;
  client: SettingsClient;
};

type SettingsClient = {
  /** How often the setup was saved, and whether this change is one of those. */
  read: (changeId: string) => Promise<{ revision: number; isSaved: boolean }>;
  /** Saves a stored change. @throws SetupChangedError if the setup was saved since the request. */
  save: (changeId: string) => Promise<void>;
};

/** The stored request that an action is opened for. */
export type OpenedFor = {
  teamId: string;
  id: string;
  /** The connection that it was made on. */
  connectionId: string;
  /** Slack user ids. */
  requester: string;
  decidedBy: string | undefined;
};

export type OpenSettings = (request: OpenedFor) => SettingsTarget;

/** Somebody has saved the setup between the last check of a change and its turn. */
export class SetupChangedError extends Error {
  override name = 'SetupChangedError';
}

export function createOpenSettings({
  store,
  clock,
}: {
  store: Pick<WorkspaceStore, 'readSetup' | 'isChangeSaved' | 'saveChange'>;
  clock: Clock;
}): OpenSettings {
  return ({ teamId, id, connectionId, requester, decidedBy }) => ({
    connectionId,
    client: {
      async read(changeId) {
        const { revision } = await store.readSetup(teamId);
        return { revision, isSaved: await store.isChangeSaved({ teamId, changeId }) };
      },
      async save(changeId) {
        const { result } = await store.saveChange({
          teamId,
          changeId,
          savedBy: requester,
          approval: { id, approvedBy: decidedBy },
          isAnnounced: true,
          at: clock(),
        });
        if (result === 'changed-meanwhile') {
          throw new SetupChangedError('the setup was saved since the request');
        }
      },
    },
  });
}
