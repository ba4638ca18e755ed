import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ReplicaConfig, replicaReady } from './replica-messages.ts';

export type Replica = {
  name: string;
  pid: number;
  /** The folder of the sources that it runs; undefined for those of this program. */
  sources: string | undefined;
  /** Where Slack's requests arrive; not used in Socket Mode. */
  requestUrl: string;
  /** Sends SIGSTOP: the process keeps its connections but does nothing until `resume`. */
  freeze: () => void;
  resume: () => void;
  /** False once the process has ended, for whatever reason. */
  isRunning: () => boolean;
  /** `kill -9`; resolves once the process is gone. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
};

export type ReplicaOptions = Pick<
  ReplicaConfig,
  'timings' | 'uninstallTimings' | 'speed' | 'aheadMs'
> & {
  name: string;
  env: Record<string, string>;
  databaseUrl: string;
  folder: string;
  sources?: string | undefined;
};

const entry = 'bench/replicas/replica.ts';
const ownSources = fileURLToPath(new URL('../..', import.meta.url));

/** Starts Belay in a separate process. Its name is the application name of its connections. */
export async function startReplica(plan: ReplicaOptions): Promise<Replica> {
  const { name, folder, timings, uninstallTimings, speed, aheadMs, sources } = plan;
  const child = fork(join(sources ?? ownSources, entry), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const killWithParent = () => void child.kill('SIGKILL');
  process.once('exit', killWithParent);
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await gone;
    process.off('exit', killWithParent);
  };

  const env = {
    ...plan.env,
    DATABASE_URL: named(plan.databaseUrl, name),
    // Two processes must not write to one file.
    BELAY_CHECKPOINT_FILE: join(folder, `checkpoints-${name}.jsonl`),
  };
  child.send({ env, timings, uninstallTimings, speed, aheadMs } satisfies ReplicaConfig);
  const failed = gone.then(() => {
    throw new Error(`${name} ended before it was ready`);
  });
  const [message] = await Promise.race([once(child, 'message'), failed]);
  // The process may exit from now on.
  failed.catch(() => undefined);
  const { port } = replicaReady.parse(message);
  return {
    name,
    pid: child.pid ?? 0,
    sources,
    requestUrl: `http://127.0.0.1:${port}/slack/events`,
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

function named(databaseUrl: string, name: string): string {
  if (databaseUrl.startsWith('pglite:')) return databaseUrl;
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  return url.href;
}
