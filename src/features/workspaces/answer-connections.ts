import type { AnswerConnection } from '../../slack/ui/answer-connection.ts';
import { bold } from '../../slack/ui/mrkdwn.ts';
import type { ConnectionSummary } from './workspace.ts';

/** A connection in use by its origin, the default one without, as messages about it name it. */
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
