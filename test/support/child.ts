import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Ended = { code: number | null; stdout: string; stderr: string };

type Child = {
  process: ChildProcess;
  /** Waits until its output holds this text; rejects if it ends before. */
  says: (wanted: string) => Promise<void>;
  ended: Promise<Ended>;
};

/** A program started with this environment and no other, killed with the test if it still runs. */
export function startChild(
  command: string,
  parameters: string[],
  options: { env: Record<string, string>; cwd?: string },
): Child {
  const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = (async () => {
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code: typeof code === 'number' ? code : null, stdout, stderr };
  })();

  let heard = '';
  const listening = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      heard += String(chunk);
      for (const listen of listening) listen();
    });
  }

  return {
    process: child,
    ended,
    says: (wanted) =>
      new Promise((resolve, reject) => {
        const listen = () => {
          if (heard.includes(wanted)) resolve();
        };
        listening.add(listen);
        listen();
        child.once('close', () => reject(new Error(`it ended without "${wanted}": ${heard}`)));
      }),
  };
}
