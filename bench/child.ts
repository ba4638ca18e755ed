import { type ChildProcess, type ForkOptions, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { processorMs } from './processor-time.ts';

export type Child = {
  send: (message: Serializable) => void;
  /** The next message. @throws if the process ends first */
  next: () => Promise<unknown>;
  ended: Promise<unknown>;
  /** Milliseconds of processor time until now. */
  usedMs: () => number;
  stop: () => void;
};

/** Starts a program that exits when this process disconnects from it, or ends. `env`: as this one's by default. */
export function startChild(
  entry: URL,
  args: string[] = [],
  options: Pick<ForkOptions, 'env'> = {},
): Child {
  const child = fork(fileURLToPath(entry), args, options);
  return {
    send: (message) => void child.send(message),
    next: () => nextMessage(child),
    ended: once(child, 'exit'),
    usedMs: () => processorMs(child.pid ?? Number.NaN),
    stop: () => child.disconnect(),
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const abort = () => ended.abort(new Error('a child process ended without a result'));
  child.once('exit', abort);
  try {
    const [message] = await once(child, 'message', { signal: ended.signal });
    return message;
  } finally {
    child.off('exit', abort);
  }
}
