import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { openDatabase } from '../../src/database/open-database.ts';
import { createDatabase, postgresUrl as server } from '../../test/support/databases.ts';
import { atMost } from '../aims.ts';
import { amount, count, readOptions } from '../read-options.ts';
import { round } from '../statistics.ts';
import { fillLog } from './fill-log.ts';

const maxSeconds = 120;
/** The time of ten times as many entries, relative to ten times the time. */
const maxGrowth = 1.5;
const measured = z.object({
  code: z.literal(0),
  seconds: z.number(),
  cpuSeconds: z.number(),
  peakMb: z.number(),
});
const programPath = fileURLToPath(new URL('measure-admin.ts', import.meta.url));

/** Verifies and exports a log of `--entries` and of a tenth of it, each in its own process. */
export async function benchAuditLog() {
  const { entries } = readOptions({
    entries: count(1000, 10_000_000).default(amount(1_000_000, 5000)),
  });
  const runs = [await measureLog(Math.round(entries / 10)), await measureLog(entries)];
  const [small, large] = runs.map(({ verify }) => verify.seconds);
  const growth = round((large ?? Number.NaN) / (10 * (small ?? 1)), 2);
  return {
    bench: 'audit-log',
    runs,
    aims: [
      atMost(`Time to verify ${entries} entries`, large ?? Number.NaN, maxSeconds, 's'),
      atMost('Time to verify, compared with ten logs of a tenth', growth, maxGrowth, '×'),
    ],
  };
}

async function measureLog(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'belay-bench-'));
  const encryptionKey = randomBytes(32);
  const path = join(folder, 'checkpoints.jsonl');
  const created = server
    ? await createDatabase(server)
    : { url: `pglite:${join(folder, 'data')}`, drop: async () => undefined };
  try {
    const { db, close } = await openDatabase(created.url);
    await fillLog(db, { count, encryptionKey, path }).finally(close);
    const env = {
      DATABASE_URL: created.url,
      BELAY_ENCRYPTION_KEYS: encryptionKey.toString('base64'),
      BELAY_CHECKPOINT_FILE: path,
    };
    const verify = await measure(env, 'verify');
    const exported = await measure(env, 'export');
    process.stdout.write(
      `${count} entries and checkpoints on ${server ? 'PostgreSQL' : 'PGlite'}: verified in ${describe(verify)}, exported in ${describe(exported)}\n`,
    );
    return { database: server ? 'PostgreSQL' : 'PGlite', entries: count, verify, export: exported };
  } finally {
    await created.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(env: Record<string, string>, command: 'verify' | 'export') {
  const child = spawn(process.execPath, [programPath, command], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const { seconds, cpuSeconds, peakMb } = measured.parse(JSON.parse(printed));
  return {
    seconds: round(seconds, 2),
    cpuSeconds: round(cpuSeconds, 2),
    peakMb: Math.round(peakMb),
  };
}

function describe({ seconds, cpuSeconds, peakMb }: Awaited<ReturnType<typeof measure>>): string {
  return `${seconds} s (${cpuSeconds} s of processor, without the server) with at most ${peakMb} MB`;
}
