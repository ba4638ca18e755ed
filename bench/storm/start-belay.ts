import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { belayReport } from './messages.ts';

export type BelayProcess = {
  requestUrl: string;
  /** Resident memory in bytes, one value a second since the last `resetSizes`. */
  sizes: readonly number[];
  resetSizes: () => void;
  isRunning: () => boolean;
  stop: () => Promise<void>;
};

const entry = fileURLToPath(new URL('belay-process.ts', import.meta.url));

/**
 * Starts Belay in a separate process, so that its memory can be measured. With `onLine` its output is
 * read, and garbage is collected before each measurement.
 */
export async function startBelayProcess(
  env: Record<string, string>,
  onLine?: (line: string) => void,
): Promise<BelayProcess> {
  const output = onLine ? 'pipe' : 'inherit';
  const child = fork(entry, {
    stdio: ['ignore', output, output, 'ipc'],
    ...(onLine ? { execArgv: ['--expose-gc'] } : {}),
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && onLine) createInterface({ input: stream }).on('line', onLine);
  }
  const gone = once(child, 'exit');
  const killChild = () => void child.kill('SIGKILL');
  process.once('exit', killChild);
  const sizes: number[] = [];
  const ready = new Promise<number>((resolve, reject) => {
    child.on('message', (message) => {
      const report = belayReport.parse(message);
      if ('port' in report) resolve(report.port);
      else sizes.push(report.residentBytes);
    });
    child.once('exit', () => reject(new Error('Belay ended before it was ready')));
  });
  child.send({ env });
  const port = await ready;
  return {
    requestUrl: `http://127.0.0.1:${port}/slack/events`,
    sizes,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    resetSizes: () => void sizes.splice(0),
    async stop() {
      child.kill('SIGTERM');
      await gone;
      process.off('exit', killChild);
    },
  };
}
