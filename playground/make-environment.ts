import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findPorts } from './free-ports.ts';
import type { ReferenceService } from './service/start-service.ts';
import type { LocalSlack } from './slack/local-slack.ts';
import type { SlackApp } from './slack/workspace.ts';

type Parts = {
  /** Of the files that only this run needs. */
  folder: string;
  app: SlackApp;
  slack: LocalSlack;
  service: ReferenceService;
  databaseUrl?: string | undefined;
  /** Socket Mode instead of signed HTTP. */
  socketMode?: boolean | undefined;
  /** Serves health and metrics on a free port. */
  health?: boolean | undefined;
  /** People install the app, instead of one token for one workspace. */
  isInstalledByOAuth: boolean;
};

/** The environment of a bot between the local Slack and the reference service. */
export async function makeEnvironment(parts: Parts): Promise<Record<string, string>> {
  const { folder, app, slack, databaseUrl } = parts;
  return {
    ...(parts.isInstalledByOAuth ? await oauthAtFreePort(app) : tokenVariables(app)),
    SLACK_SIGNING_SECRET: app.signingSecret,
    ...(parts.socketMode ? { SLACK_APP_TOKEN: app.appToken } : {}),
    SLACK_API_URL: slack.apiUrl,
    ...(parts.health ? { HEALTH_PORT: '0' } : {}),
    DATABASE_URL: databaseUrl ?? 'pglite:memory',
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CHECKPOINT_FILE: join(folder, 'checkpoints.jsonl'),
    BELAY_CONFIG: await writeRegions(parts),
  };
}

const tokenVariables = ({ botToken }: SlackApp) => ({ SLACK_BOT_TOKEN: botToken, PORT: '0' });

async function oauthAtFreePort(app: SlackApp) {
  // Browsers come back to an address that is known before the bot listens.
  const port = await findPorts(1);
  return { ...oauthVariables(app, `http://127.0.0.1:${port}`), PORT: String(port) };
}

/** What installing with OAuth needs; browsers come back to `publicUrl`. */
export const oauthVariables = ({ clientId, clientSecret }: SlackApp, publicUrl: string) => ({
  SLACK_CLIENT_ID: clientId,
  SLACK_CLIENT_SECRET: clientSecret,
  SLACK_STATE_SECRET: randomBytes(32).toString('hex'),
  BELAY_PUBLIC_URL: publicUrl,
});

async function writeRegions({ folder, service }: Parts): Promise<string> {
  const path = join(folder, 'belay.yml');
  const regions = service.portals.map(({ id, label, baseUrl }) => ({
    id,
    label,
    portal: `${id}.portal.example`,
    baseUrl,
    dialect: service.dialect,
  }));
  await writeFile(path, stringify({ regions }));
  return path;
}
