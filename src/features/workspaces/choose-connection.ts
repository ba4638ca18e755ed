import type { ConnectionSummary } from './workspace.ts';

/** The connection that a command or a click is about. */
export type ChosenConnection = {
  /** Undefined in a workspace without a connection. */
  originId: string | undefined;
  /** Undefined in a workspace with one connection, where nobody needs to read it. */
  name: string | undefined;
};

export type Choice =
  | ChosenConnection
  /** No connection has the name, or the one of an earlier answer was removed; `names` are in use. */
  | { refused: 'unknown-name' | 'removed'; names: string[] };

/**
 * What a person names: with `name`, ignoring case, or with the `originId` of an answer that goes on.
 * With neither, the channel's connection or else the default one.
 */
export type ConnectionWish = {
  name?: string | undefined;
  originId?: string | undefined;
  channelId?: string | undefined;
};

export type ChooseConnection = (teamId: string, named: ConnectionWish) => Promise<Choice>;

export function createChooseConnection(store: {
  listConnections: (teamId: string) => Promise<ConnectionSummary[]>;
  findPinned: (teamId: string, channelId: string) => Promise<string | undefined>;
}): ChooseConnection {
  return async (teamId, { name, originId, channelId }) => {
    const connections = await store.listConnections(teamId);
    const names = connections.map((connection) => connection.name);
    const byOrigin = (id: string | undefined) =>
      connections.find((connection) => connection.originId === id);
    const chosen = (connection: ConnectionSummary | undefined): ChosenConnection => ({
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
