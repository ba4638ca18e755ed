import { randomUUID } from 'node:crypto';
import type { Actor } from '../../playground/act-as.ts';
import { readConfig } from '../../src/config.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { createTransport } from '../../src/dataprotection/client.ts';
import { approvableActions } from '../../src/features/actions/index.ts';
import { findUsers } from '../../src/features/users/find-users.ts';
import { disable } from '../../src/features/users/user-actions.ts';
import { createLogger } from '../../src/logger.ts';
import { openStores } from '../../src/open-stores.ts';
import { createApprovals } from '../../src/requests/approvals.ts';
import { defineAction } from '../../src/requests/define-action.ts';
import { createAdminDirectory } from '../../src/slack/api/list-admins.ts';
import { readPerson } from '../../src/slack/api/person.ts';
import type { Message } from '../../src/slack/ui/blocks.ts';
import { createOpenService, createServiceOf } from '../../src/workspace/open-service.ts';
import { createOpenSettings } from '../../src/workspace/open-settings.ts';
import { noRoles } from '../support/no-roles.ts';
import { clientsWithToken } from '../support/slack-clients.ts';
import type { World } from '../support/world.ts';

/** Disables a user after as many approvals as setup names for weakening a policy. */
const disableBySeveral = defineAction({
  ...disable,
  describe: (user, request) => ({
    ...disable.describe(user, request),
    requiredApprovals: ({ weakeningApprovals }) => weakeningApprovals,
  }),
});

/**
 * Requests, on the database of a running bot, to disable a user with several approvals; resolves to
 * Belay's reply. In the running bot the action needs one approval, but a request stores how many it
 * needs.
 */
export async function requestForSeveral(
  world: World,
  db: Database,
  { requester, email }: { requester: Actor; email: string },
): Promise<Message> {
  const { slack: local, workspace, env } = world;
  const { regions, encryptionKeys } = readConfig(env);
  const { teamId } = workspace;
  const clock = () => new Date();
  const log = createLogger('silent');
  const stores = openStores(db, {
    encryptionKeys,
    isServed: serveAll,
  });
  const { approvalStore: store, workspaceStore } = stores;
  const transport = createTransport();
  const openService = createOpenService(workspaceStore, createServiceOf({ regions, transport }));
  const { botToken } = workspace.app;
  const clients = clientsWithToken(botToken, { slackApiUrl: local.apiUrl });
  const slack = await clients.clientFor(teamId);
  const approvals = createApprovals({
    store,
    openService,
    clients,
    clock,
    log,
    openSettings: createOpenSettings({ store: workspaceStore, clock }),
    actions: { ...approvableActions, 'users.disable': disableBySeveral },
    readSettings: workspaceStore.readSettings,
    access: noRoles,
    adminDirectory: createAdminDirectory({ listNamed: noRoles.listAdmins }),
  });
  try {
    const service = await openService(teamId);
    if (!service) throw new Error('the workspace is not connected');
    const [user] = (await findUsers(service.client, email)).users;
    if (!user) throw new Error(`no user ${email}`);
    const { id, fullName } = user;
    const call = {
      teamId,
      slack,
      person: await readPerson(slack, requester.slackUserId),
      viewId: `V${randomUUID()}`,
      settings: () => workspaceStore.readSettings(teamId),
    };
    return await approvals.request(call, {
      channelId: 'C0OPS00001',
      isRepeat: true,
      prepared: disableBySeveral.prepare({ id, fullName, email: user.email }, user, service),
      reason: 'Left the company',
    });
  } finally {
    await transport.dispatcher.close();
  }
}
