import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { AdminDirectory } from '../slack/api/list-admins.ts';
import type { Person } from '../slack/api/person.ts';
import type { SlackClients } from '../slack/api/slack-clients.ts';
import type { Access } from '../workspace/access/access.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { Openers } from './action.ts';
import type { ActionEntries, BindAction } from './define-action.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { Timings } from './timings.ts';

/** What all use cases of requests work with. `createApprovals` builds it. */
export type RequestContext = Openers & {
  store: ApprovalStore;
  actions: ActionEntries;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  /** A person as they are now. */
  readPerson: (teamId: string, slackUserId: string) => Promise<Person>;
  /** Reads the people of one decision: each once, as they are now. */
  openPeople: (teamId: string) => (slackUserId: string) => Promise<Person>;
  listMembers: Access['listMembers'];
  listStandIns: Access['listStandIns'];
  adminDirectory: AdminDirectory;
  clients: SlackClients;
  clock: Clock;
  log: Logger;
  timings: Timings;
};
