import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readManifest } from '../../playground/read-manifest.ts';
import {
  type Portal,
  type ReferenceService,
  startReferenceService,
} from '../../playground/service/start-service.ts';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace, type Workspace } from '../../playground/slack/workspace.ts';
import { credentialVariables, installBelay } from '../replicas/install-belay.ts';
import { type BelayProcess, startBelayProcess } from './start-belay.ts';

export type StormStage = {
  slack: LocalSlack;
  service: ReferenceService;
  portal: Portal;
  belay: BelayProcess;
  /** The channel of the watch; commands are sent elsewhere. */
  watchedId: string;
  stop: () => Promise<void>;
};

/** Like a large service; with pages of 20 the benchmark would measure paging. */
const pageSize = 500;

/** Belay in a separate process, by default with the embedded database, with a local Slack and a service. */
export async function openStage({
  oauth,
  workspace = createWorkspace(),
  databaseUrl,
}: {
  oauth: boolean;
  workspace?: Workspace;
  databaseUrl?: string;
}): Promise<StormStage> {
  const service = await startReferenceService({ pageSize });
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  workspace.app.scopes = readManifest().oauth_config.scopes.bot;
  const credentials = credentialVariables(workspace, oauth);
  const slack = await startLocalSlack({ workspace });
  const folder = await mkdtemp(join(tmpdir(), 'belay-storm-'));
  const configPath = join(folder, 'belay.yml');
  const regions = service.portals.map(({ id, label, baseUrl }) => ({
    id,
    label,
    portal: `${id}.portal.example`,
    baseUrl,
    dialect: service.dialect,
  }));
  await writeFile(configPath, stringify({ regions }));
  const belay = await startBelayProcess({
    ...credentials,
    SLACK_SIGNING_SECRET: workspace.app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    PORT: '0',
    DATABASE_URL: databaseUrl ?? `pglite:${join(folder, 'data')}`,
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CHECKPOINT_FILE: join(folder, 'checkpoints.jsonl'),
    BELAY_CONFIG: configPath,
    LOG_LEVEL: 'error',
  });
  const { requestUrl } = belay;
  slack.connectApp(requestUrl);
  if (oauth) await installBelay({ slack, teamId: workspace.teamId, requestUrl });
  return {
    slack,
    service,
    portal,
    belay,
    watchedId: 'C0RANDOM03',
    async stop() {
      await belay.stop();
      await Promise.all([slack.close(), service.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
