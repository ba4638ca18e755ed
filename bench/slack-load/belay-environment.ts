import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { createDatabase } from '../../test/support/databases.ts';
import type { SlackReady } from './messages.ts';

export type BelayEnvironment = {
  env: Record<string, string>;
  folder: string;
  database: 'PostgreSQL' | 'embedded';
  remove: () => Promise<void>;
};

/** The environment of a Belay with a new database: on PostgreSQL if one is given, else embedded. */
export async function createBelayEnvironment({
  apiUrl,
  botToken,
  signingSecret,
}: SlackReady): Promise<BelayEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'belay-bench-'));
  const created = postgresUrl === undefined ? undefined : await createDatabase(postgresUrl);
  return {
    folder,
    database: created ? 'PostgreSQL' : 'embedded',
    env: {
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: apiUrl,
      PORT: '0',
      DATABASE_URL: created?.url ?? `pglite:${join(folder, 'data')}`,
      BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      BELAY_CHECKPOINT_FILE: join(folder, 'checkpoints.jsonl'),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    async remove() {
      await created?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
