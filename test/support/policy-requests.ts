import { randomUUID } from 'node:crypto';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Clock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { createTransport } from '../../src/dataprotection/client.ts';
import { listPolicies, type Policy } from '../../src/dataprotection/resources/policies.ts';
import { approvableActions } from '../../src/features/actions/index.ts';
import {
  type PolicyChangeInput,
  submitPolicyChange,
} from '../../src/features/policies/changes/submit-change.ts';
import { createLogger } from '../../src/logger.ts';
import { openStores } from '../../src/open-stores.ts';
import { openWorkspaces } from '../../src/open-workspaces.ts';
import { createApprovals } from '../../src/requests/approvals.ts';
import { createAdminDirectory } from '../../src/slack/api/list-admins.ts';
import { readPerson } from '../../src/slack/api/person.ts';
import { createSlackClients } from '../../src/slack/api/slack-clients.ts';
import { createOpenService, createServiceOf } from '../../src/workspace/open-service.ts';
import { createOpenSettings } from '../../src/workspace/open-settings.ts';
import { listConnectedTeams } from '../../src/workspace/store/connected-teams.ts';
import { noRoles } from './no-roles.ts';

export type RequestedPolicyChange = PolicyChangeInput['change'];

/**
 * What the last page of the policy editor calls, on the database and the Slack of a running bot.
 * Nothing is enqueued: the sweep of the bot finds what is due.
 */
export async function openPolicyRequests({
  env,
  slack,
  db,
  clock,
}: {
  env: Record<string, string>;
  slack: LocalSlack;
  db: Database;
  clock: Clock;
}) {
  const config = readConfig({ DATABASE_URL: 'pglite:memory', ...env });
  const { encryptionKeys, regions } = config;
  const stores = openStores(db, {
    encryptionKeys,
    isServed: serveAll,
  });
  const transport = createTransport();
  const openService = createOpenService(
    stores.workspaceStore,
    createServiceOf({ regions, transport }),
  );
  const { readSettings } = stores.workspaceStore;
  const log = createLogger('silent', { write: () => undefined });
  const { readToken } = await openWorkspaces(config, {
    db,
    clock,
    log,
    metrics: undefined,
    timings: undefined,
  });
  const options = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 }, fetch };
  const clients = createSlackClients({ readToken, options, log });
  const [teamId = ''] = await listConnectedTeams(db);
  const approvals = createApprovals({
    store: stores.approvalStore,
    actions: approvableActions,
    openSettings: createOpenSettings({ store: stores.workspaceStore, clock }),
    access: noRoles,
    adminDirectory: createAdminDirectory({ listNamed: noRoles.listAdmins }),
    openService,
    readSettings,
    clients,
    clock,
    log,
  });
  const open = async () => {
    const service = await openService(teamId);
    if (!service) throw new Error('the workspace is not connected');
    return service;
  };

  return {
    openService: open,
    store: stores.approvalStore,

    async readAll(): Promise<Policy[]> {
      const policies: Policy[] = [];
      const service = await open();
      for await (const { items } of listPolicies(service.client)) policies.push(...items);
      return policies;
    },

    /** Submits a change; resolves to the reply. */
    async submit(
      slackUserId: string,
      change: RequestedPolicyChange,
      channelId?: string,
    ): Promise<string> {
      const client = await clients.clientFor(teamId);
      const person = await readPerson(client, slackUserId);
      const call = {
        teamId,
        slack: client,
        person,
        viewId: randomUUID(),
        service: open,
        settings: () => readSettings(teamId),
      };
      const { text } = await submitPolicyChange(
        { call, change, channelId, reason: 'Agreed on Monday' },
        approvals,
      );
      return text;
    },

    close: () => transport.dispatcher.close(),
  };
}
