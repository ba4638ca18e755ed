import type { Logger } from '../logger.ts';
import { once } from '../once.ts';
import type { AdminDirectory } from '../slack/api/list-admins.ts';
import type { SlackClients } from '../slack/api/slack-clients.ts';
import type { Access } from '../workspace/access/access.ts';
import { mayReadNow } from '../workspace/access/direct-readers.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { Openers } from './action.ts';
import { type ActionEntries, createActionBinder } from './define-action.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import { defaultTimings, type Timings } from './timings.ts';

/** What the engine of requests is built from. */
export type RequestParts = Openers & {
  store: ApprovalStore;
  actions: ActionEntries;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  /** For work outside listeners. */
  clients: SlackClients;
  access: Pick<Access, 'authorize' | 'readPerson' | 'openPeople' | 'listMembers' | 'listStandIns'>;
  adminDirectory: AdminDirectory;
  log: Logger;
  timings?: Partial<Timings> | undefined;
};

/** What all use cases of requests work with. */
export type RequestContext = ReturnType<typeof createRequestContext>;

export function createRequestContext({ access, timings, ...parts }: RequestParts) {
  const { clients } = parts;
  return {
    ...parts,
    timings: { ...defaultTimings, ...timings },
    bind: createActionBinder(parts.actions),
    /** A person as they are now. */
    readPerson: async (teamId: string, slackUserId: string) =>
      access.readPerson(await clients.clientFor(teamId), slackUserId),
    /** Whether a person may be told about requests at this moment. */
    mayRead: async (teamId: string, slackUserId: string) =>
      mayReadNow(access, await clients.clientFor(teamId), slackUserId),
    /** Reads the people of one decision: each once, as they are now. */
    openPeople(teamId: string) {
      const open = once(async () => access.openPeople(await clients.clientFor(teamId)));
      return async (slackUserId: string) => (await open())(slackUserId);
    },
    listMembers: access.listMembers,
    listStandIns: access.listStandIns,
  };
}
