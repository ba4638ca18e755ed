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
import { createWorkspace, type Workspace } from '../../playground/slack/workspace.ts';
import { changeSetup } from '../../test/support/set-up.ts';
import { approvers, crew } from './crew.ts';

/** Requests are posted here, wherever they were asked. */
export const approvalsChannelId = 'C0APPROVE2';

/** Slack itself waits for 3 s: here a late answer is to be measured, not cut off. */
export const slackPatienceMs = 15_000;

/** What stands around the replicas: one Slack, one service, and what to tell each of them. */
export type Stage = {
  slack: LocalSlack;
  workspace: Workspace;
  service: ReferenceService;
  portal: Portal;
  /** All but the database. */
  env: Record<string, string>;
  folder: string;
  stop: () => Promise<void>;
};

export async function startStage({ users }: { users: number }): Promise<Stage> {
  const service = await startReferenceService({ users });
  // The one without the cast, whose names are made to be awkward.
  const portal = service.portals[1];
  if (!portal) throw new Error('the reference service has no second portal');
  const workspace = workspaceWithCrew();
  const slack = await startLocalSlack({ workspace, ackTimeoutMs: slackPatienceMs });
  const folder = await mkdtemp(join(tmpdir(), 'belay-bench-'));
  const configPath = join(folder, 'belay.yml');
  const { id, label, baseUrl } = portal;
  const region = { id, label, portal: `${id}.portal.example`, baseUrl, dialect: service.dialect };
  await writeFile(configPath, stringify({ regions: [region] }));
  return {
    slack,
    workspace,
    service,
    portal,
    folder,
    env: {
      SLACK_BOT_TOKEN: workspace.app.botToken,
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

function workspaceWithCrew(): Workspace {
  const workspace = createWorkspace();
  const scopes = readManifest().oauth_config.scopes.bot;
  return {
    ...workspace,
    people: [...workspace.people, ...crew],
    app: { ...workspace.app, scopes },
  };
}

/** As an admin would by hand, with the highest limit there is, so that it never stands in the way. */
export async function setUp({ slack, portal }: Stage, graceMinutes: number): Promise<void> {
  await changeSetup(actAs(slack, people.cleo), {
    region: portal.id,
    token: portal.token,
    unit: null,
    approvers,
    channel: approvalsChannelId,
    owner: null,
    grace: String(graceMinutes),
    usersPerHour: '1000',
  });
}
