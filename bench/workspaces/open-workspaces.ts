import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addYears } from 'date-fns/addYears';
import { sql } from 'kysely';
import { stringify } from 'yaml';
import { oauthVariables } from '../../playground/make-environment.ts';
import { workspaceFromManifest } from '../../playground/read-manifest.ts';
import {
  type Portal,
  type ReferenceService,
  startReferenceService,
} from '../../playground/service/start-service.ts';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createOtherWorkspace } from '../../playground/slack/more-workspaces.ts';
import type { Workspace } from '../../playground/slack/workspace.ts';
import { batchesOf } from '../../src/database/batches.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Database } from '../../src/database/tables.ts';
import { createTokenCipher } from '../../src/workspace/store/token-cipher.ts';
import { createDatabase } from '../../test/support/databases.ts';
import { insertWorkspaces } from '../digest/insert-workspaces.ts';
import { recordStatements } from '../replicas/record-statements.ts';
import { type Replica, startReplica } from '../replicas/start-replica.ts';

/** Belay in many workspaces, with a local Slack and a reference service in this process. */
export type ManyWorkspaces = {
  slack: LocalSlack;
  service: ReferenceService;
  portal: Portal;
  db: Database;
  workspaces: Workspace[];
  replicas: readonly Replica[];
  /** Starts or stops replicas until there are so many. */
  scaleTo: (count: number) => Promise<void>;
  stop: () => Promise<void>;
};

/** Nothing listens there: nobody installs Belay with its page. */
const publicUrl = 'http://127.0.0.1:1';
/** Of the region of the connections; see `insertWorkspaces`. */
const regionId = 'eu';
/** The page size that Belay asks the public service for. */
const pageSize = 100;
/** Enough for a request about each of some workspaces. */
const users = 400;

/**
 * Inserts installed workspaces, each with a connection of its own token, a watch and a digest, neither
 * of which is due. No replica runs yet.
 */
export async function openWorkspaces(serverUrl: string, count: number): Promise<ManyWorkspaces> {
  const first = workspaceFromManifest(false);
  const workspaces = Array.from({ length: count }, (_, index) => {
    const workspace = createOtherWorkspace(first.app, index + 2);
    workspace.app.botToken = `xoxb-${randomBytes(24).toString('hex')}`;
    return { ...workspace, isInstalled: true };
  });
  const slack = await startLocalSlack({ workspace: first, workspaces });
  const service = await startReferenceService({ pageSize, users, dialect: 'live' });
  // The second portal has no users with unusual names.
  const portal = service.portals[1];
  if (!portal) throw new Error('the reference service has no second portal');
  const folder = await mkdtemp(join(tmpdir(), 'belay-workspaces-'));
  const configPath = join(folder, 'belay.yml');
  const { label, baseUrl } = portal;
  const region = { id: regionId, label, portal: 'eu.portal.example', baseUrl };
  await writeFile(configPath, stringify({ regions: [{ ...region, dialect: service.dialect }] }));
  const { url, drop } = await createDatabase(serverUrl);
  const replicaUrl = await recordStatements(serverUrl, url);
  const { db, close } = await openDatabase(url);
  const key = randomBytes(32);
  await insertInstalled(db, workspaces, {
    key,
    issueToken: () => service.issueToken(portal.id),
  });
  // As autovacuum does before long; without statistics, plans are those of empty tables.
  await sql`analyze`.execute(db);
  const env = {
    ...oauthVariables(first.app, publicUrl),
    SLACK_SIGNING_SECRET: first.app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
    BELAY_ENCRYPTION_KEYS: key.toString('base64'),
    BELAY_CONFIG: configPath,
    LOG_LEVEL: 'error',
  };
  const replicas: Replica[] = [];
  return {
    slack,
    service,
    portal,
    db,
    workspaces,
    replicas,
    async scaleTo(wanted) {
      while (replicas.length > wanted) await replicas.pop()?.stop();
      while (replicas.length < wanted) {
        const name = `replica-${replicas.length + 1}`;
        replicas.push(await startReplica({ name, env, folder, databaseUrl: replicaUrl }));
      }
      const [{ requestUrl } = {}] = replicas;
      if (requestUrl) slack.connectApp(requestUrl);
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await close();
      await drop();
      await Promise.all([slack.close(), service.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function insertInstalled(
  db: Database,
  workspaces: Workspace[],
  { key, issueToken }: { key: Buffer; issueToken: () => string },
): Promise<void> {
  const now = new Date();
  const never = addYears(now, 10);
  const cipher = createTokenCipher([key]);
  const places = workspaces.map(({ teamId, channels }) => {
    return { teamId, channelId: channels[0]?.channelId ?? '' };
  });
  const { connections } = await insertWorkspaces(db, {
    places,
    dueAt: now,
    seal: (place) => cipher.seal(issueToken(), place),
  });
  await db.updateTable('digest').set({ next_run_at: never }).execute();
  for (const batch of batchesOf(workspaces)) {
    const installations = batch.map(({ teamId, app }) => ({
      id: randomUUID(),
      team_id: teamId,
      enterprise_id: null,
      app_id: app.appId,
      bot_token_sealed: cipher.seal(app.botToken, {
        slackToken: 'bot' as const,
        teamId,
        enterpriseId: null,
      }),
      refresh_token_sealed: null,
      token_expires_at: null,
      state: 'active' as const,
      installed_by: 'U1',
      installed_at: now,
      check_at: never,
    }));
    await db.insertInto('installation').values(installations).execute();
    const watched = batch.map(({ teamId, channels }) => ({
      id: randomUUID(),
      team_id: teamId,
      connection_id: connections.get(teamId) ?? '',
      connection_origin_id: connections.get(teamId) ?? '',
      channel_id: channels[0]?.channelId ?? '',
      search: JSON.stringify({ status: 'active', sort: '-updated', words: [] }),
      created_by: 'U1',
      created_at: now,
      anchor: now,
      high_water: now,
    }));
    await db.insertInto('watch').values(watched).execute();
    const polls = batch.map(({ teamId }) => ({
      team_id: teamId,
      connection_id: connections.get(teamId) ?? '',
      next_poll_at: never,
    }));
    await db.insertInto('alert_poll').values(polls).execute();
    const settings = batch.map(({ teamId, channels, people }) => ({
      team_id: teamId,
      settings: JSON.stringify({
        approvalsChannel: channels[1]?.channelId,
        approvers: [people[1]?.slackUserId],
        usersPerHour: 1000,
      }),
    }));
    await db.insertInto('workspace_settings').values(settings).execute();
  }
}
