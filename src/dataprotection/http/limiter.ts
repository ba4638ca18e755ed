import PQueue from 'p-queue';
import { organisationKey, type ServiceConnection } from '../connection.ts';
import { maxConnectionsPerOrigin } from './dispatcher.ts';

/** Interactive work, for which a person waits, goes before background work. */
export type Priority = 'interactive' | 'background';

export type Waiting = { priority: Priority; signal: AbortSignal };

/**
 * Runs the task when it is its turn. Rejects with the signal's reason, without having run it, when
 * the signal ends the wait; a task that runs is left to look at the signal itself.
 */
export type Limiter = <T>(task: () => Promise<T>, waiting: Waiting) => Promise<T>;

export type Limiters = {
  /** The one limiter of a connection's organisation. */
  limiterFor: (connection: ServiceConnection) => Limiter;
  /** How many organisations are remembered. */
  size: () => number;
};

type Options = { connections?: number; idleMs?: number; secondMs?: number };

const ranks: Record<Priority, number> = { interactive: 1, background: 0 };

/**
 * The limiters of a process, in memory only. An organisation that was not asked for `idleMs` is
 * forgotten; that must be long enough for its last requests to count no more.
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
    let forgetting: NodeJS.Timeout | undefined;
    queue.on('add', () => clearTimeout(forgetting));
    queue.on('idle', () => {
      clearTimeout(forgetting);
      forgetting = setTimeout(() => queues.delete(key), idleMs).unref();
    });
    return queue;
  };

  return {
    limiterFor(connection) {
      const { requestsPerSecond } = connection;
      const key = organisationKey(connection);
      return (task, waiting) => runIn(queueFor(key, requestsPerSecond), task, waiting);
    },
    size: () => queues.size,
  };
}

function openQueue(limits: Required<Omit<Options, 'idleMs'>> & { requestsPerSecond: number }) {
  const { connections, requestsPerSecond, secondMs } = limits;
  return new PQueue({
    // More would queue up behind the connections, where nothing goes first.
    concurrency: connections,
    intervalCap: Math.max(1, Math.floor(requestsPerSecond)),
    interval: secondMs / Math.min(1, requestsPerSecond),
    // Counts in a window that slides, so that two bursts cannot meet where two windows do.
    strict: true,
  });
}

/**
 * The queue is given a place to keep and not the task: it holds on to a result for long, and turns
 * away from a task as soon as its signal is aborted, when only the task knows how far it got.
 */
async function runIn<T>(
  queue: PQueue,
  task: () => Promise<T>,
  { priority, signal }: Waiting,
): Promise<T> {
  const turn = Promise.withResolvers<void>();
  const leaving = Promise.withResolvers<void>();
  const keepPlace = () => {
    turn.resolve();
    return leaving.promise;
  };
  queue.add(keepPlace, { priority: ranks[priority], signal }).catch(turn.reject);
  await turn.promise;
  return task().finally(leaving.resolve);
}
