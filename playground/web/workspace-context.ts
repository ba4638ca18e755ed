import { createContext, use } from 'react';
import type { Conversation, Person, Snapshot } from '../slack/protocol.ts';

export type Workspace = {
  me: Person;
  appName: string;
  people: Person[];
  conversations: Conversation[];
  /** Names by id of everyone who can be mentioned, the app included. */
  names: ReadonlyMap<string, string>;
};

export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (!workspace) throw new Error('Drawn outside of a workspace');
  return workspace;
}

export function workspaceOf(snapshot: Snapshot): Workspace {
  const { me, appName, people, conversations } = snapshot;
  const names = new Map<string, string>();
  for (const { messages } of conversations) {
    for (const { authorId, authorName } of messages) names.set(authorId, authorName);
  }
  for (const person of people) names.set(person.slackUserId, person.realName);
  return { me, appName, people, conversations, names };
}
