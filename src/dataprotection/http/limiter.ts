import PQueue from 'p-queue';
import { organizationKey, type ServiceConnection } from '../connection.ts';
import { maxConnectionsPerOrigin } from './dispatcher.ts';

/** Interactive requests, for which a person waits, run before background requests. */
export type Priority = 'interactive' | 'background';

export type TurnOptions = { priority: Priority; signal: AbortSignal };

/**
 * Runs the task when the rate limit allows it. Rejects with the signal's reason if the signal is
 * aborted before that. A running task has to watch the signal itself.
 */
export type Limiter = <T>(task: () => Promise<T>, options: TurnOptions) => Promise<T>;

export type Limiters = {
  /** Shared by all connections of an organization (§8 Limits). */
  limiterFor: (connection: ServiceConnection) => Limiter;
  /** The number of organizations with a limiter in memory. */
  size: () => number;
};

type Options = { connections?: number; idleMs?: number; secondMs?: number };

const ranks: Record<Priority, number> = { interactive: 1, background: 0 };

/**
 * The limiters of a process, in memory only. A limiter is dropped after `idleMs` without requests,
 * which must be longer than the window in which requests count.
 */
export function createLimiters({
  connections = maxConnectionsPerOrigin,
  idleMs = 60_000,
  secondMs = 1_000,
}: Options = {}): Limiters {
  const queues = new Map<string, PQueue>();

  const queueFor = (key: string, requestsPerSecond: number): PQueue => {
    const known = queues.get(key);
    if (known) return known;
    const queue = openQueue({ connections, requestsPerSecond, secondMs });
    queues.set(key, queue);
    let removal: NodeJS.Timeout | undefined;
    queue.on('add', () => clearTimeout(removal));
    queue.on('idle', () => {
      clearTimeout(removal);
      removal = setTimeout(() => queues.delete(key), idleMs).unref();
    });
    return queue;
  };

  return {
    limiterFor(connection) {
      const { requestsPerSecond } = connection;
      const key = organizationKey(connection);
      return (task, options) => runIn(queueFor(key, requestsPerSecond), task, options);
    },
    size: () => queues.size,
  };
}

function openQueue(limits: Required<Omit<Options, 'idleMs'>> & { requestsPerSecond: number }) {
  const { connections, requestsPerSecond, secondMs } = limits;
  return new PQueue({
    // More would wait in undici's queue, which knows no priority.
    concurrency: connections,
    intervalCap: Math.max(1, Math.floor(requestsPerSecond)),
    interval: secondMs / Math.min(1, requestsPerSecond),
    // A sliding window: with fixed ones, two bursts could meet at the boundary.
    strict: true,
  });
}

/**
 * Queues a placeholder instead of the task: p-queue keeps results in memory for long, and rejects
 * as soon as the signal is aborted, when only the task knows whether the request was sent.
 */
async function runIn<T>(
  queue: PQueue,
  task: () => Promise<T>,
  { priority, signal }: TurnOptions,
): Promise<T> {
  const turn = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const placeholder = () => {
    turn.resolve();
    return done.promise;
  };
  queue.add(placeholder, { priority: ranks[priority], signal }).catch(turn.reject);
  await turn.promise;
  return task().finally(done.resolve);
}
