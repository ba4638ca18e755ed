import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { postgresUrl } from './databases.ts';

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** Whether a test can put PgBouncer in front of PostgreSQL. */
export const hasPgBouncer =
  postgresUrl !== undefined &&
  spawnSync('pgbouncer', ['--version'], { env: environment }).status === 0;

/** PgBouncer in transaction mode in front of the test server, gone with the test: the URL of its server. */
export async function startPgBouncer(): Promise<string> {
  // The script prints the URL and runs until its input ends.
  const child = spawn(
    'sh',
    ['scripts/with-pgbouncer.sh', 'sh', '-c', 'echo "$TEST_DATABASE_URL"; cat >/dev/null'],
    { env: environment, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin.end();
    await exited;
  });
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('PgBouncer did not start');
}
