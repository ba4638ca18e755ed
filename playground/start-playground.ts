import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type AppOptions, type Belay, startBelay } from '../src/app.ts';
import { systemClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import type { Dialect } from '../src/dataprotection/dialects/dialect.ts';
import { createAlertChanger } from './controls/change-alerts.ts';
import { serveControls } from './controls/serve-controls.ts';
import { readManifest } from './read-manifest.ts';
import {
  type ReferenceService,
  type ReferenceServiceOptions,
  startReferenceService,
} from './service/start-service.ts';
import { setUpBelay } from './set-up-belay.ts';
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from './slack/local-slack.ts';
import { createWorkspace, type Workspace } from './slack/workspace.ts';

export type PlaygroundOptions = AppOptions & {
  slackPort?: number;
  servicePort?: number;
  page?: LocalSlackOptions['page'];
  /** Which dialect of the interface the service speaks, and Belay with it. */
  dialect?: Dialect;
  service?: ReferenceServiceOptions;
  databaseUrl?: string;
  /** Socket Mode instead of signed HTTP. */
  socketMode?: boolean;
  /** Serves health and metrics on a free port. */
  health?: boolean;
  /** False skips setup. */
  isSetUp?: boolean;
  /** Slack user ids; Ben by default. */
  approvers?: string[];
  /** More of the environment that the bot is started with. */
  env?: Record<string, string>;
};

export type Playground = {
  slack: LocalSlack;
  service: ReferenceService;
  belay: Belay;
  workspace: Workspace;
  /** The environment the bot was started with. */
  env: Record<string, string>;
  stop: () => Promise<void>;
};

/** Starts the real bot between a local Slack and a reference service. */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { clock, isSetUp = true } = options;
  const service = await startReferenceService({
    port: options.servicePort ?? 0,
    ...(options.dialect ? { dialect: options.dialect } : {}),
    ...options.service,
  });
  const workspace = workspaceFromManifest();
  const slack = await startLocalSlack({
    workspace,
    port: options.slackPort ?? 0,
    ...(clock ? { clock } : {}),
    ...(options.page ? { page: withControls(options.page, service, options) } : {}),
  });
  const folder = await mkdtemp(join(tmpdir(), 'belay-playground-'));
  const env = await makeUpEnvironment(folder, { workspace, slack, service, options });
  const belay = await startBelay(readConfig(env), options);
  if (belay.port !== undefined) slack.connectApp(`http://127.0.0.1:${belay.port}/slack/events`);
  if (isSetUp) await setUpBelay(slack, service, options.approvers);

  return {
    slack,
    service,
    belay,
    workspace,
    env,
    async stop() {
      await belay.stop();
      await Promise.all([slack.close(), service.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The page can change the alerts of the portal that Belay is connected to. */
function withControls(
  page: NonNullable<LocalSlackOptions['page']>,
  service: ReferenceService,
  { service: { clock = systemClock } = {} }: PlaygroundOptions,
) {
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  return serveControls(page, createAlertChanger({ service, portal, clock }));
}

/** Gives the app the commands, scopes and events of its manifest, and no others. */
function workspaceFromManifest(): Workspace {
  const workspace = createWorkspace();
  const { features, oauth_config, settings } = readManifest();
  const events = settings.event_subscriptions?.bot_events ?? [];
  const scopes = oauth_config.scopes.bot;
  const commands = features.slash_commands.map(({ command, description, usage_hint }) => ({
    command,
    description,
    ...(usage_hint ? { usageHint: usage_hint } : {}),
  }));
  return { ...workspace, app: { ...workspace.app, commands, scopes, events } };
}

async function makeUpEnvironment(
  folder: string,
  {
    workspace,
    slack,
    service,
    options,
  }: {
    workspace: Workspace;
    slack: LocalSlack;
    service: ReferenceService;
    options: PlaygroundOptions;
  },
): Promise<Record<string, string>> {
  const configPath = join(folder, 'belay.yml');
  const regions = service.portals.map(({ id, label, baseUrl }) => ({
    id,
    label,
    portal: `${id}.portal.example`,
    baseUrl,
    dialect: service.dialect,
  }));
  await writeFile(configPath, stringify({ regions }));
  return {
    SLACK_BOT_TOKEN: workspace.app.botToken,
    SLACK_SIGNING_SECRET: workspace.app.signingSecret,
    ...(options.socketMode ? { SLACK_APP_TOKEN: workspace.app.appToken } : {}),
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
    ...(options.health ? { HEALTH_PORT: '0' } : {}),
    DATABASE_URL: options.databaseUrl ?? 'pglite:memory',
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CHECKPOINT_FILE: join(folder, 'checkpoints.jsonl'),
    BELAY_CONFIG: configPath,
    ...options.env,
  };
}
