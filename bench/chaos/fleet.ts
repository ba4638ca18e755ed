import { setTimeout as wait } from 'node:timers/promises';
import { type Replica, type ReplicaOptions, startReplica } from '../replicas/start-replica.ts';

/** Replicas that are restarted as soon as they have ended. */
export type Fleet = {
  running: () => Replica[];
  /** False when it was not running. */
  kill: (name: string) => Promise<boolean>;
  /** Sends SIGTERM once no more requests arrive, as behind a load balancer. */
  restart: (name: string) => Promise<boolean>;
  /** While `restart` stops it. */
  isStopping: (name: string) => boolean;
  /** How long each process took to start, in milliseconds. */
  startedInMs: number[];
  /** Restarts that failed, one line each. */
  failures: string[];
  stop: () => Promise<void>;
};

/** Longer than a request takes to arrive at its replica. */
const drainMs = 1000;

export async function startFleet(
  names: string[],
  plan: Omit<ReplicaOptions, 'name'>,
  /** The folder with the sources for this start of the replica. */
  sourcesOf: (name: string) => string | undefined = () => undefined,
): Promise<Fleet> {
  const running = new Map<string, Replica>();
  const starting = new Set<Promise<void>>();
  const stopping = new Set<string>();
  const startedInMs: number[] = [];
  const failures: string[] = [];

  const start = async (name: string) => {
    const begun = performance.now();
    running.set(name, await startReplica({ ...plan, name, sources: sourcesOf(name) }));
    startedInMs.push(Math.round(performance.now() - begun));
  };
  const startAgain = (name: string) => {
    const restarted = start(name)
      .catch((error: unknown) => void failures.push(`${name} did not start again: ${error}`))
      .finally(() => starting.delete(restarted));
    starting.add(restarted);
  };
  const end = (how: 'kill' | 'stop') => async (name: string) => {
    const replica = running.get(name);
    if (!replica) return false;
    running.delete(name);
    if (how === 'stop') {
      stopping.add(name);
      await wait(drainMs);
    }
    await replica[how]();
    stopping.delete(name);
    startAgain(name);
    return true;
  };
  await Promise.all(names.map(start));

  return {
    running: () => [...running.values()],
    kill: end('kill'),
    restart: end('stop'),
    isStopping: (name) => stopping.has(name),
    startedInMs,
    failures,
    async stop() {
      await Promise.all(starting);
      await Promise.all([...running.values()].map((replica) => replica.stop()));
    },
  };
}
