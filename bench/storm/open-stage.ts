import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeEnvironment } from '../../playground/make-environment.ts';
import { readManifest } from '../../playground/read-manifest.ts';
import {
  type Portal,
  type ReferenceService,
  startReferenceService,
} from '../../playground/service/start-service.ts';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { installBelay, rotatingTokens } from '../replicas/install-belay.ts';
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

/** Belay with the embedded database in a separate process, with a local Slack and a service. */
export async function openStage({ oauth }: { oauth: boolean }): Promise<StormStage> {
  const service = await startReferenceService({ pageSize });
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  const workspace = { ...createWorkspace(), isInstalled: !oauth };
  const { app, teamId } = workspace;
  app.scopes = readManifest().oauth_config.scopes.bot;
  if (oauth) Object.assign(app, rotatingTokens);
  const slack = await startLocalSlack({ workspace });
  const folder = await mkdtemp(join(tmpdir(), 'belay-storm-'));
  const env = await makeEnvironment({
    ...{ folder, app, slack, service, isInstalledByOAuth: oauth },
    databaseUrl: `pglite:${join(folder, 'data')}`,
  });
  const belay = await startBelayProcess({ ...env, LOG_LEVEL: 'error' });
  slack.connectApp(belay.requestUrl);
  await installBelay({ slack, teamId, env, requestUrl: belay.requestUrl });
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
