import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Actor, actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';
import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Database, OpenDatabase } from '../../src/database/open-database.ts';
import { openJobQueue } from '../../src/jobs/job-queue.ts';
import { createLogger } from '../../src/logger.ts';
import {
  insertOldRows,
  left,
  type OldSlack,
  startOldService,
  startOldSlack,
} from './old-version.ts';

export type UpgradedBot = OldSlack & {
  db: Database;
  service: ReferenceService;
  checkpointFile: string;
  sweep: () => Promise<void>;
  ana: Actor;
  ben: Actor;
  cleo: Actor;
  stop: () => Promise<void>;
};

/**
 * Today's bot on the database and the messages of commit 487c56a. `move` moves the rows to another
 * database, without the jobs that wait.
 */
export async function startUpgradedBot(
  source: OpenDatabase,
  folder: string,
  move?: (from: OpenDatabase) => Promise<OpenDatabase>,
): Promise<UpgradedBot> {
  const log = createLogger('silent');
  const service = await startOldService();
  const { rename, ...old } = await startOldSlack();
  await insertOldRows(source.db, rename);
  const opened = move ? await move(source) : source;
  await migrate(opened.db);

  const checkpointFile = join(folder, 'checkpoints.jsonl');
  copyFileSync(left.checkpointFile, checkpointFile);
  const configFile = join(folder, 'belay.yml');
  const regions = service.portals.map(({ id, label, baseUrl }) => ({
    ...{ id, label, baseUrl, portal: `${id}.portal.example` },
    form: 'live',
  }));
  writeFileSync(configFile, stringify({ regions }));
  const { app } = old.workspace;
  const config = readConfig({
    SLACK_BOT_TOKEN: app.botToken,
    SLACK_SIGNING_SECRET: app.signingSecret,
    SLACK_API_URL: old.slack.apiUrl,
    PORT: '0',
    DATABASE_URL: 'pglite:memory',
    BELAY_ENCRYPTION_KEYS: left.encryptionKeys,
    BELAY_CHECKPOINT_FILE: checkpointFile,
    BELAY_CONFIG: configFile,
  });
  const openDatabase = async () => ({ ...opened, close: async () => undefined });
  const belay = await startBelay(config, {
    log,
    openDatabase,
    timings: { settleMs: 0, checkMs: 100 },
  });
  old.connect(`http://127.0.0.1:${belay.port}/slack/events`);
  if (!move) await enqueueOldJobs(opened);

  return {
    ...old,
    db: opened.db,
    service,
    checkpointFile,
    sweep: belay.sweep,
    ana: actAs(old.slack, people.ana),
    ben: actAs(old.slack, people.ben),
    cleo: actAs(old.slack, people.cleo),
    async stop() {
      await belay.stop();
      await Promise.all([old.close(), service.close(), opened.close()]);
    },
  };
}

/** Uses the queue names of the old version. Fails if a queue no longer exists. */
async function enqueueOldJobs({ db, shared }: OpenDatabase): Promise<void> {
  const jobs = await openJobQueue(shared, { log: createLogger('silent') });
  for (const job of left.jobs) await db.transaction().execute((trx) => jobs.enqueue(trx, job));
  await jobs.stop();
}
