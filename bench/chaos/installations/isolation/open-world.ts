import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { actAs } from '../../../../playground/act-as.ts';
import { findPorts } from '../../../../playground/free-ports.ts';
import { openBrowser } from '../../../../playground/install-browser.ts';
import { oauthVariables } from '../../../../playground/make-environment.ts';
import { workspaceFromManifest } from '../../../../playground/read-manifest.ts';
import type { Organization } from '../../../../playground/slack/installations/installation.ts';
import { type LocalSlack, startLocalSlack } from '../../../../playground/slack/local-slack.ts';
import {
  createOtherWorkspace,
  sampleOrganization,
} from '../../../../playground/slack/more-workspaces.ts';
import type { Workspace, WorkspacePerson } from '../../../../playground/slack/workspace.ts';
import { openDatabase } from '../../../../src/database/open-database.ts';
import type { Database } from '../../../../src/database/tables.ts';
import { addConnection } from '../../../../test/support/add-connection.ts';
import { createDatabase } from '../../../../test/support/databases.ts';
import { changeSetup, tokenElsewhere } from '../../../../test/support/set-up.ts';
import { recordStatements } from '../../../replicas/record-statements.ts';
import { type Replica, startReplica } from '../../../replicas/start-replica.ts';
import { openTenants, type Tenant } from './tenants.ts';

/** A workspace and the tenant that it is connected to. */
export type Site = {
  workspace: Workspace;
  tenant: Tenant;
  people: WorkspacePerson[];
  /** Set if Belay is installed in the whole organization of the workspace. */
  organization: Organization | undefined;
};

export type IsolationWorld = {
  slack: LocalSlack;
  sites: Site[];
  replicas: Replica[];
  db: Database;
  stop: () => Promise<void>;
};

const words = ['Axolotl', 'Bonobo', 'Caracal', 'Dugong', 'Echidna'];
const ackTimeoutMs = 15_000;

/**
 * Three workspaces and an organization of two, each workspace with its own tenant, and two
 * replicas. Belay is installed through its page and set up in each workspace.
 */
export async function openWorld({
  serverUrl,
  seed,
  logLevel,
}: {
  serverUrl: string;
  seed: number;
  logLevel: string;
}): Promise<IsolationWorld> {
  const marked = words.map((word) => `${word}${seed.toString(36)}`);
  const { tenants, close: closeTenants } = await openTenants(marked);
  const first = workspaceFromManifest(false);
  const workspaces = [first, ...[2, 3, 4, 5].map((n) => createOtherWorkspace(first.app, n))];
  const sites = workspaces.flatMap((workspace, index) => {
    const tenant = tenants[index];
    return tenant ? [{ ...markPeople(workspace, tenant.word), tenant }] : [];
  });
  const slack = await startLocalSlack({
    workspace: first,
    workspaces: sites.slice(1).map(({ workspace }) => workspace),
    organization: sampleOrganization,
    ackTimeoutMs,
  });
  const folder = await mkdtemp(join(tmpdir(), 'belay-isolation-'));
  const { url: databaseUrl, drop } = await createDatabase(serverUrl);
  const replicaUrl = await recordStatements(serverUrl, databaseUrl);
  const { db, close: closeDatabase } = await openDatabase(databaseUrl);
  const port = await findPorts(1);
  const publicUrl = `http://127.0.0.1:${port}`;
  const configPath = join(folder, 'belay.yml');
  const regions = tenants.map(({ regionId, portal: { baseUrl } }, index) => ({
    id: regionId,
    label: `Region ${index + 1}`,
    portal: `${regionId}.portal.example`,
    baseUrl,
    dialect: 'documented',
  }));
  await writeFile(configPath, stringify({ regions }));
  const env = {
    ...oauthVariables(first.app, publicUrl),
    SLACK_SIGNING_SECRET: first.app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CONFIG: configPath,
    LOG_LEVEL: logLevel,
  };
  const replicas = await Promise.all(
    [port, 0].map((at, index) =>
      startReplica({
        name: `replica-${index + 1}`,
        env: { ...env, PORT: String(at) },
        databaseUrl: replicaUrl,
        folder,
      }),
    ),
  );
  slack.connectApp(`${publicUrl}/slack/events`);
  const world = { slack, sites, replicas, db };
  await installEverywhere(world, publicUrl);
  for (const site of sites) await setUpSite(slack, site);
  return {
    ...world,
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await closeDatabase();
      await Promise.all([slack.close(), closeTenants(), drop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Adds the word to the names and addresses of all people. `people` are those who can use Belay. */
function markPeople(workspace: Workspace, word: string): Omit<Site, 'tenant'> {
  for (const person of workspace.people) {
    person.realName = `${person.realName} ${word}`;
    person.name = `${person.name}-${word.toLowerCase()}`;
    person.email = person.email.replace(/@.*/, `@${word.toLowerCase()}.example`);
  }
  const people = workspace.people.filter(({ isHidden, isGuest }) => !isHidden && !isGuest);
  const isMember = sampleOrganization.teamIds.includes(workspace.teamId);
  return { workspace, people, organization: isMember ? sampleOrganization : undefined };
}

function adminOf({ people }: Pick<Site, 'people'>): string {
  return people.find(({ isAdmin }) => isAdmin)?.slackUserId ?? '';
}

/** Installs Belay in each workspace, and once in the organization. */
async function installEverywhere(
  { slack, sites }: Pick<IsolationWorld, 'slack' | 'sites'>,
  publicUrl: string,
): Promise<void> {
  const targets = new Map(
    sites.map((site) => [site.organization?.enterpriseId ?? site.workspace.teamId, adminOf(site)]),
  );
  for (const [targetId, admin] of targets) {
    const { status, html } = await openBrowser({ slack, publicUrl }).install(targetId, admin);
    if (status !== 200) throw new Error(`Belay was not installed: ${html}`);
  }
}

/**
 * Connects the workspace to its tenant, and to another unit of it by a connection that is named like the
 * tenant's word. Everybody is an approver, so that requests run.
 */
async function setUpSite(slack: LocalSlack, site: Site): Promise<void> {
  const { workspace, tenant, people } = site;
  const approvals = workspace.channels.find(({ name }) => name === 'approvals');
  const admin = actAs(slack.workspace(workspace.teamId), adminOf(site), 'setup');
  await changeSetup(admin, {
    region: tenant.regionId,
    token: tenant.portal.token,
    unit: null,
    owner: null,
    approvers: people.map(({ slackUserId }) => slackUserId),
    channel: approvals?.channelId ?? null,
    grace: '1',
    usersPerHour: '1000',
  });
  const approver = people.find(({ slackUserId }) => slackUserId !== admin.slackUserId);
  await addConnection(
    { cleo: admin, ben: admin.other(approver?.slackUserId ?? '') },
    { name: tenant.word, region: tenant.regionId, token: tokenElsewhere(tenant) },
  );
}
