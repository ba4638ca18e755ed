import { tokenExpiry } from '../../../dataprotection/connection.ts';
import type { Region } from '../../../dataprotection/region.ts';
import type { Person } from '../../../slack/api/person.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import { notConnected, shownRights, type WorkspaceStore } from '../../workspaces/index.ts';
import { connectionListMessage, type ListedConnection } from '../views/connection-list-message.ts';
import { maxConnections } from './connection-form.ts';

export type ShowConnectionsDependencies = {
  store: Pick<WorkspaceStore, 'listConnections' | 'openConnection' | 'findPinned' | 'readSettings'>;
  regions: Region[];
};

/** The connections of the workspace and which one this channel uses, with buttons for those who may. */
export async function showConnections(
  { teamId, channelId, person }: { teamId: string; channelId: string; person: Person },
  { store, regions }: ShowConnectionsDependencies,
): Promise<Message> {
  const [summaries, pinned, mayPin] = await Promise.all([
    store.listConnections(teamId),
    store.findPinned(teamId, channelId),
    shownRights.isApproverOrAdmin(teamId, person, store),
  ]);
  if (summaries.length === 0) return notConnected;
  const isPinned = summaries.some(({ originId }) => originId === pinned);
  const connections = await Promise.all(
    summaries.map(async (summary): Promise<ListedConnection> => {
      const { originId, regionId, isDefault } = summary;
      const opened = await store.openConnection(teamId, { originId });
      return {
        ...summary,
        regionLabel: regions.find(({ id }) => id === regionId)?.label,
        token:
          opened === undefined || opened === 'unreadable'
            ? 'unreadable'
            : { expiresAt: tokenExpiry(opened.token) },
        isUsedHere: isPinned ? originId === pinned : isDefault,
      };
    }),
  );
  return connectionListMessage(connections, {
    isPinned,
    mayPin,
    isAdmin: shownRights.isAdmin(person),
    canAdd: summaries.length < maxConnections,
  });
}
