import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { readManifest } from '../../playground/read-manifest.ts';
import {
  type Portal,
  type ReferenceService,
  startReferenceService,
} from '../../playground/service/start-service.ts';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/local-slack.ts';
import { type Channel, createWorkspace, type Workspace } from '../../playground/slack/workspace.ts';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import { changeSetup } from '../../test/support/set-up.ts';
import { credentialVariables, installBelay } from './install-belay.ts';
import { approvers, benchPeople } from './people.ts';

/** Requests are posted here. */
export const approvalsChannel = 'C0APPROVE2';

/** Longer than Slack's 3 s, so that late answers are measured instead of aborted. */
export const ackTimeoutMs = 15_000;

/** The local Slack and service that all replicas share, and their environment. */
export type TestBed = {
  slack: LocalSlack;
  workspace: Workspace;
  service: ReferenceService;
  portal: Portal;
  /** The environment variables of a replica, without the database. */
  env: Record<string, string>;
  folder: string;
  stop: () => Promise<void>;
};

export async function startTestBed({
  users,
  requestsPerSecond,
  dialect = 'documented',
  pageSize,
  oauth = false,
  hasHomeTab = false,
  channels = [],
}: {
  users: number;
  /** Beside those of every workspace. */
  channels?: Channel[];
  /** Whether Belay gets an event when a Home tab is opened. */
  hasHomeTab?: boolean;
  /** Belay is installed with OAuth, with tokens that rotate, instead of with a bot token. */
  oauth?: boolean;
  dialect?: Dialect;
  /** The default of the service if it is not given. */
  pageSize?: number;
  /** Of the region; the default of the dialect if it is not given. */
  requestsPerSecond?: number;
}): Promise<TestBed> {
  const service = await startReferenceService({
    users,
    dialect,
    ...(pageSize ? { pageSize } : {}),
  });
  // The second portal has no users with unusual names.
  const portal = service.portals[1];
  if (!portal) throw new Error('the reference service has no second portal');
  const workspace = createBenchWorkspace(channels);
  if (hasHomeTab) Object.assign(workspace.app, { hasHomeTab, events: ['app_home_opened'] });
  const credentials = credentialVariables(workspace, oauth);
  const slack = await startLocalSlack({ workspace, ackTimeoutMs: ackTimeoutMs });
  const folder = await mkdtemp(join(tmpdir(), 'belay-bench-'));
  const configPath = join(folder, 'belay.yml');
  const { id, label, baseUrl } = portal;
  const region = { id, label, portal: `${id}.portal.example`, baseUrl, dialect };
  await writeFile(configPath, stringify({ regions: [{ ...region, requestsPerSecond }] }));
  return {
    slack,
    workspace,
    service,
    portal,
    folder,
    env: {
      ...credentials,
      SLACK_SIGNING_SECRET: workspace.app.signingSecret,
      SLACK_API_URL: slack.apiUrl,
      PORT: '0',
      BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      BELAY_CHECKPOINT_FILE: join(folder, 'checkpoints.jsonl'),
      BELAY_CONFIG: configPath,
      LOG_LEVEL: 'silent',
    },
    async stop() {
      await Promise.all([slack.close(), service.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createBenchWorkspace(channels: Channel[]): Workspace {
  const workspace = createWorkspace();
  const scopes = readManifest().oauth_config.scopes.bot;
  return {
    ...workspace,
    people: [...workspace.people, ...benchPeople],
    channels: [...workspace.channels, ...channels],
    app: { ...workspace.app, scopes },
  };
}

/** Installs Belay, unless it has a bot token, and sets it up with an hourly limit that is never reached. */
export async function setUp(
  { slack, workspace, portal }: TestBed,
  {
    requestUrl,
    graceMinutes,
    alertsCleared,
  }: { requestUrl: string | undefined; graceMinutes: number; alertsCleared?: number },
): Promise<void> {
  if (!requestUrl) throw new Error('no replica is running');
  slack.connectApp(requestUrl);
  const { teamId, isInstalled } = workspace;
  if (isInstalled === false) await installBelay({ slack, teamId, requestUrl });
  await changeSetup(actAs(slack, people.cleo), {
    region: portal.id,
    token: portal.token,
    unit: null,
    approvers,
    channel: approvalsChannel,
    owner: null,
    grace: String(graceMinutes),
    usersPerHour: '1000',
    ...(alertsCleared === undefined ? {} : { alertsCleared: String(alertsCleared) }),
  });
}
