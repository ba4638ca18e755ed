import { type Replica, type ReplicaOptions, startReplica } from '../replicas/start-replica.ts';

/** Replicas that are restarted as soon as they are killed. */
export type Fleet = {
  running: () => Replica[];
  /** False when it was not running. */
  kill: (name: string) => Promise<boolean>;
  /** How long each process took to start, in milliseconds. */
  startedInMs: number[];
  /** Restarts that failed, one line each. */
  failures: string[];
  stop: () => Promise<void>;
};

export async function startFleet(
  names: string[],
  plan: Omit<ReplicaOptions, 'name'>,
): Promise<Fleet> {
  const running = new Map<string, Replica>();
  const starting = new Set<Promise<void>>();
  const startedInMs: number[] = [];
  const failures: string[] = [];

  const start = async (name: string) => {
    const begun = performance.now();
    running.set(name, await startReplica({ ...plan, name }));
    startedInMs.push(Math.round(performance.now() - begun));
  };
  const restart = (name: string) => {
    const restarted = start(name)
      .catch((error: unknown) => void failures.push(`${name} did not start again: ${error}`))
      .finally(() => starting.delete(restarted));
    starting.add(restarted);
  };
  await Promise.all(names.map(start));

  return {
    running: () => [...running.values()],
    async kill(name) {
      const replica = running.get(name);
      if (!replica) return false;
      running.delete(name);
      await replica.kill();
      restart(name);
      return true;
    },
    startedInMs,
    failures,
    async stop() {
      await Promise.all(starting);
      await Promise.all([...running.values()].map((replica) => replica.stop()));
    },
  };
}
