import { createContext, use, useState } from 'react';
import type { Conversation, Person, Snapshot } from '../slack/protocol.ts';
import { share } from './share.ts';

/** A conversation without what happens in it, so that a message does not redraw the others. */
export type Place = Pick<Conversation, 'channelId' | 'name' | 'kind'>;

export type Workspace = {
  me: Person;
  appName: string;
  /** How far the workspace's clock is ahead of the real time. */
  aheadMs: number;
  people: Person[];
  places: Place[];
  /** Names by id of everyone who can be mentioned, the app and user groups included. */
  names: Record<string, string>;
};

export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext);
  if (!workspace) throw new Error('Drawn outside of a workspace');
  return workspace;
}

/** The workspace of the snapshot: the same object until something in it changes. */
export function useWorkspaceOf(snapshot: Snapshot): Workspace {
  const [held, setHeld] = useState(() => workspaceOf(snapshot));
  const workspace = share(held, workspaceOf(snapshot));
  if (workspace !== held) setHeld(workspace);
  return workspace;
}

function workspaceOf(snapshot: Snapshot): Workspace {
  const { me, appName, aheadMs, people, userGroups, conversations } = snapshot;
  const authors = conversations.flatMap(({ messages }) => messages);
  return {
    me,
    appName,
    aheadMs,
    people,
    places: conversations.map(({ channelId, name, kind }) => ({ channelId, name, kind })),
    names: Object.fromEntries([
      ...authors.map(({ authorId, authorName }) => [authorId, authorName]),
      ...people.map(({ slackUserId, realName }) => [slackUserId, realName]),
      ...userGroups.map(({ groupId, handle }) => [groupId, handle]),
    ]),
  };
}
