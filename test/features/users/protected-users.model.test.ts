import { randomUUID } from 'node:crypto';
import { addMinutes } from 'date-fns/addMinutes';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Database } from '../../../src/database/tables.ts';
import { readUser } from '../../../src/dataprotection/resources/users.ts';
import { userActions } from '../../../src/features/users/user-actions.ts';
import { decideApproval } from '../../../src/requests/decide-approval.ts';
import { requestApproval } from '../../../src/requests/request-approval.ts';
import { advanceRun } from '../../../src/requests/run/advance-approval.ts';
import type { Person } from '../../../src/slack/api/person.ts';
import type { SlackClient } from '../../../src/slack/api/slack-client.ts';
import {
  defaultAccess,
  defaultSettings,
  type WorkspaceSettings,
} from '../../../src/workspace/settings/document.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { contextWith } from '../../requests/context-with.ts';
import { insertConnection, newTeamId, noon, openApprovalStore } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';

const [requester, approver] = ['UREQ', 'UAPPROVER'];

type Service = Awaited<ReturnType<typeof openService>>;

/** The reference service, and a user of it who has a role. */
async function openService() {
  const { client, service, portal } = await openReference({ dialect: 'live' });
  const subject = service.users(portal.id).find(({ email }) => email === 'joana.prado@example.com');
  if (!subject) throw new Error('the reference service has no such user');
  const { roles = [] } = await readUser(client, subject.id);
  return { service, portalId: portal.id, client, subject, roleId: roles[0]?.roleId ?? '' };
}

async function openSlack(): Promise<SlackClient> {
  const workspace = createWorkspace();
  const local = await startLocalSlack({ workspace });
  onTestFinished(() => local.close());
  const clients = clientsWithToken(workspace.app.botToken, { slackApiUrl: local.apiUrl });
  return clients.clientFor(workspace.teamId);
}

/** A workspace that may protect this user, whose disabling and deletion is requested, approved and run. */
async function openWorld(
  db: Database,
  slack: SlackClient,
  { service, portalId, client, subject, roleId }: Service,
) {
  service.reset();
  const { store } = openApprovalStore(db);
  const teamId = newTeamId();
  const connectionId = await insertConnection(db, teamId);
  let now = noon;
  let protectedBy: readonly Protection[] = [];
  const listed = (kind: Protection) => (protectedBy.includes(kind) ? 'own' : 'other');
  const settings = (): WorkspaceSettings => ({
    ...defaultSettings,
    approvers: [approver],
    approvalsChannel: 'C0OPS00001',
    usersPerHour: 1000,
    access: {
      ...defaultAccess,
      protectedUsers: {
        addresses: [{ own: subject.email ?? '', other: 'nobody@example.org' }[listed('address')]],
        domains: [{ own: 'example.com', other: 'example.org' }[listed('domain')]],
        roles: [{ own: roleId, other: 'No such role' }[listed('role')]],
      },
    },
  });
  const personOf = (slackUserId: string): Person => ({
    slackUserId,
    isAdmin: false,
    membership: 'member',
    email: `${slackUserId}@harbor.example`,
  });
  const target = {
    connectionId,
    originId: connectionId,
    connectionName: undefined,
    client,
    organizationalUnitId: undefined,
    tokenOwner: 'token.owner@example.com',
  };
  const context = contextWith({
    store,
    clock: () => now,
    readSettings: async () => settings(),
    openService: async () => target,
    readPerson: async (_: string, id: string) => personOf(id),
    openPeople: () => async (id: string) => personOf(id),
    listMembers: async (_: SlackClient, ids: readonly string[]) => ({
      people: [...ids],
      unread: [],
    }),
    adminDirectory: { read: async () => ({ people: [], isComplete: true }) },
  });
  const list = async () => {
    const rows = await db
      .selectFrom('approval')
      .select(['id', 'state', 'wake_at'])
      .where('team_id', '=', teamId)
      .execute();
    return rows;
  };
  return {
    list,
    isProtected: () => protectedBy.length > 0,
    protect: (by: readonly Protection[]) => {
      protectedBy = by;
    },
    countWrites: () => service.requests.filter(({ method }) => method !== 'GET').length,
    isDeleted: () => service.user(portalId, subject.id) === undefined,
    async request(verb: 'disable' | 'delete') {
      const user = await readUser(client, subject.id);
      const payload = { id: user.id, fullName: user.fullName, email: user.email };
      const prepared =
        verb === 'disable'
          ? userActions['users.disable'].prepare(payload, user, target)
          : userActions['users.delete'].prepare({ ...payload, graceMinutes: 30 }, user, target);
      return requestApproval(
        {
          teamId,
          slack,
          settings: settings(),
          prepared,
          requester: personOf(requester),
          reason: 'Left',
          channelId: undefined,
          viewId: `V${randomUUID()}`,
          isRepeat: true,
        },
        context,
      );
    },
    async approveAll() {
      const person = personOf(approver);
      for (const { id: approvalId } of await list())
        await decideApproval({ teamId, approvalId, person, to: 'approved' }, context);
    },
    async runAll() {
      for (const { id } of await list()) await advanceRun({ teamId, id }, context);
    },
    /** Until the next step is due, if one waits. */
    async pass() {
      const [due] = (await list())
        .flatMap(({ wake_at, state }) => (wake_at && state !== 'pending' ? [wake_at] : []))
        .sort((one, other) => one.getTime() - other.getTime());
      now = due && due > now ? due : addMinutes(now, 1);
    },
  };
}

type Protection = 'address' | 'domain' | 'role';
type World = Awaited<ReturnType<typeof openWorld>>;
/** How many changes the service was sent. */
type Model = { changed: number };
type Command = fc.AsyncCommand<Model, World>;

function command(title: string, run: (world: World) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => title,
    async run(model, world) {
      const writes = world.countWrites();
      await run(world);
      const sent = world.countWrites() - writes;
      if (world.isProtected() || title !== 'run') expect(sent).toBe(0);
      model.changed += sent;
    },
  };
}

const request = fc.constantFrom('disable' as const, 'delete' as const).map((verb) =>
  command(`request to ${verb}`, async (world) => {
    if (world.isDeleted()) return;
    const asked = await world.request(verb);
    if (world.isProtected()) {
      expect(asked).toMatchObject({ result: 'guarded', guard: 'protected_user' });
    } else expect(asked.result).toBe('requested');
  }),
);
const protect = fc
  .subarray<Protection>(['address', 'domain', 'role'])
  .map((by) => command(`protected by ${by.join(', ')}`, async (world) => world.protect(by)));
const unprotect = fc
  .constant(undefined)
  .map(() => command('not protected', async (world) => world.protect([])));
const approve = fc.constant(undefined).map(() => command('approve', (world) => world.approveAll()));
const run = fc.constant(undefined).map(() => command('run', (world) => world.runAll()));
const pass = fc.constant(undefined).map(() => command('time passes', (world) => world.pass()));

const runs = propertyRuns(60, 5);

describe.each(databases())('protected users on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('are never disabled or deleted, whenever they become protected', async () => {
    const [service, slack] = await Promise.all([openService(), openSlack()]);
    let changed = 0;
    const work = [request, approve, run, pass];
    const history = fc.commands([...work, ...work, protect, unprotect], {
      maxCommands: 25,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(history, async (calls) => {
        const world = await openWorld(database.db, slack, service);
        const model: Model = { changed: 0 };
        await fc.asyncModelRun(() => ({ model, real: world }), calls);
        changed += model.changed;
      }),
      runs,
    );
    // The property isn't empty: many histories change the user. A sample may not.
    if (runs.numRuns >= 60) expect(changed).toBeGreaterThan(runs.numRuns / 10);
  });
});
