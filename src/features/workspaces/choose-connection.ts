import type {
  ChooseConnection,
  ConnectionChoice,
} from '../../slack/listeners/choose-connection.ts';
import type { ConnectionSummary } from './workspace.ts';

/** Chooses the connection that a command or a click is about. */
export function createChooseConnection(store: {
  listConnections: (teamId: string) => Promise<ConnectionSummary[]>;
  findPinned: (teamId: string, channelId: string) => Promise<string | undefined>;
}): ChooseConnection {
  return async (teamId, { name, originId, channelId }) => {
    const connections = await store.listConnections(teamId);
    const names = connections.map((connection) => connection.name);
    const byOrigin = (id: string | undefined) =>
      connections.find((connection) => connection.originId === id);
    const chosen = (connection: ConnectionSummary | undefined): ConnectionChoice => ({
      originId: connection?.originId,
      name: connections.length > 1 ? connection?.name : undefined,
    });
    if (name !== undefined) {
      const named = connections.find((one) => one.name.toLowerCase() === name.toLowerCase());
      return named ? chosen(named) : { refused: 'unknown-name', names };
    }
    if (originId !== undefined) {
      const earlier = byOrigin(originId);
      return earlier ? chosen(earlier) : { refused: 'removed', names };
    }
    const pinned = channelId ? await store.findPinned(teamId, channelId) : undefined;
    return chosen(byOrigin(pinned) ?? connections.find(({ isDefault }) => isDefault));
  };
}
