import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { postgresUrl } from '../scripts/postgres-url.ts';
import { shortRuns } from './short-runs.ts';

type Result = 'passed' | 'failed' | 'timed out';

/** Longer than any of them takes on a busy machine. */
const limitMs = 5 * 60_000;
/** Of what a failed program printed last. */
const shownLines = 60;
const shownColumns = 3000;

const root = fileURLToPath(new URL('..', import.meta.url));
if (!postgresUrl) {
  throw new Error('needs PostgreSQL: sh scripts/with-postgres.sh npm run -s short');
}
/** With an argument, only those whose name contains it. */
const [, , only = ''] = process.argv;
const runs = [
  ...shortRuns.PostgreSQL.map((command) => ({ name: command, command, unset: [] })),
  ...shortRuns.PGlite.map((command) => ({
    name: `${command} (PGlite)`,
    command,
    unset: ['DATABASE_URL', 'TEST_DATABASE_URL'],
  })),
].filter(({ name }) => name.includes(only));

const rows: { name: string; seconds: number; result: Result | '' }[] = [];
for (const { name, command, unset } of runs) {
  const begunAt = performance.now();
  const { result, output } = await runShort(command, unset);
  const seconds = Math.round((performance.now() - begunAt) / 1000);
  rows.push({ name, seconds, result });
  print(`${name}: ${result}, ${seconds} s`);
  if (result !== 'passed') print(endOf(output));
}
const hasPassed = rows.every(({ result }) => result === 'passed');
const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
rows.push({ name: 'all', seconds, result: hasPassed ? 'passed' : 'failed' });
const width = Math.max(...rows.map(({ name }) => name.length));
for (const row of rows) {
  print(`${row.name.padEnd(width)}  ${String(row.seconds).padStart(4)} s  ${row.result}`);
}
process.exitCode = hasPassed ? 0 : 1;

/** Runs a program in a process group of its own, of which nothing is left afterward. */
async function runShort(
  command: string,
  unset: string[],
): Promise<{ result: Result; output: string }> {
  const [script = '', ...args] = command.replace(' -- ', ' ').split(' ');
  const run = ['npm', 'run', '-s', script, '--', ...args, '--short'];
  const child = spawn('env', [...unset.flatMap((name) => ['-u', name]), ...run], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing is left.
    }
  };
  process.once('exit', end);
  const outputs = Promise.all([text(child.stderr), text(child.stdout)]);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limitMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  end();
  process.off('exit', end);
  const output = (await outputs).join('\n');
  return { result: isLate ? 'timed out' : code === 0 ? 'passed' : 'failed', output };
}

function endOf(output: string): string {
  const lines = output.trim().split('\n').slice(-shownLines);
  return lines.map((line) => line.slice(0, shownColumns)).join('\n');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
