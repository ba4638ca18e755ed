import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { nodeArguments } from '../../scripts/node-arguments.ts';
import { processorMs } from '../processor-time.ts';

export type StartedBelay = {
  /** From the start of the process until Belay said that it is ready. */
  readyMs: number;
  /** Processor time until then, in user and kernel mode. */
  cpuMs: number;
  /** Processor time until now. */
  usedMs: () => number;
  requestUrl: string;
  residentMb: () => number;
  stop: () => Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyLine = z.object({ msg: z.literal('Belay is ready'), port: z.number() });
/** For the programs that the launcher uses. */
const searchPath = `${dirname(process.execPath)}:/usr/bin:/bin`;

/** Starts Belay as `npm start` does, with its own environment. Only on Linux. */
export async function startBelay(env: Record<string, string>): Promise<StartedBelay> {
  const startedAt = performance.now();
  const child = spawn('sh', ['scripts/node.sh', ...nodeArguments], {
    cwd: root,
    env: { ...env, PATH: searchPath, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const killChild = () => void child.kill('SIGKILL');
  process.once('exit', killChild);
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = readyLine.safeParse(JSON.parse(line));
      if (ready.success) resolve(ready.data.port);
    });
    child.once('exit', () => reject(new Error('Belay ended before it was ready')));
  });
  const readyMs = performance.now() - startedAt;
  const usedMs = () => processorMs(child.pid ?? Number.NaN);
  const status = () => readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return {
    readyMs,
    cpuMs: usedMs(),
    usedMs,
    requestUrl: `http://127.0.0.1:${port}/slack/events`,
    residentMb: () => Number(/^VmRSS:\s+(\d+)/m.exec(status())?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      process.off('exit', killChild);
    },
  };
}
