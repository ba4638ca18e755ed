import type { ConnectionChoice, NamedConnection } from '../slack/interactions/choose-connection.ts';
import type { AnswerConnection } from '../slack/ui/answer-connection.ts';
import { bold } from '../slack/ui/mrkdwn.ts';
import type { ConnectionSummary } from './workspace.ts';

/**
 * Chooses the connection that a command or a click is about. `findPinned` returns the origin of the
 * connection that a channel uses.
 */
export async function chooseAmong(
  connections: ConnectionSummary[],
  { name, originId, channelId }: NamedConnection,
  findPinned: (channelId: string) => Promise<string | undefined>,
): Promise<ConnectionChoice> {
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
  const isChoice = connections.length > 1 && channelId;
  const pinned = isChoice ? await findPinned(channelId) : undefined;
  return chosen(byOrigin(pinned) ?? connections.find(({ isDefault }) => isDefault));
}

/** A connection in use, as messages name it, by its origin; without one, the default connection. */
export type FindConnection = (originId: string | undefined) => AnswerConnection | undefined;

/** In a workspace with one connection nobody needs to read its name. */
export function findAmong(inUse: ConnectionSummary[]): FindConnection {
  return (originId) => {
    const found = inUse.find((one) =>
      originId === undefined ? one.isDefault : one.originId === originId,
    );
    if (!found) return undefined;
    const name = inUse.length > 1 ? found.name : undefined;
    return { originId: found.originId, name, isNamed: true };
  };
}

/** " · *europe*", after an item of a list; empty in a workspace with one connection. */
export function formatConnectionName(name: string | undefined): string {
  return name === undefined ? '' : ` · ${bold(name)}`;
}
