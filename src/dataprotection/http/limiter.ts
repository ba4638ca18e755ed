import { organizationKey, type ServiceConnection } from '../connection.ts';
import { maxRequestsPerOrganization } from './dispatcher.ts';

/** Interactive requests, for which a person waits, run before background requests. */
export type Priority = 'interactive' | 'background';

type TurnOptions = { priority: Priority; signal: AbortSignal };

/**
 * Runs the task when the rate limit allows it. Rejects with the signal's reason if the signal is
 * aborted before that. A running task has to watch the signal itself.
 */
export type Limiter = <T>(task: () => Promise<T>, options: TurnOptions) => Promise<T>;

export type Limiters = ReturnType<typeof createLimiters>;

type Options = {
  /** How many requests of an organization run at once. */
  maxRunning?: number;
  idleMs?: number;
  secondMs?: number;
  /**
   * The part of an organization's requests per second that this process may send now; 0 for none at
   * the moment. Read before each request, so it must be quick. By default all of them.
   */
  shareOf?: (requestsPerSecond: number) => number;
};

/** How soon a share of 0 is looked at again. */
const recheckMs = 100;

/**
 * The limiters of a process, in memory only. A limiter is dropped after `idleMs` without requests,
 * which must be longer than the window in which requests count.
 */
export function createLimiters({
  maxRunning = maxRequestsPerOrganization,
  idleMs = 60_000,
  secondMs = 1_000,
  shareOf = (requestsPerSecond) => requestsPerSecond,
}: Options = {}) {
  const limiters = new Map<string, Limiter>();

  return {
    /** Shared by all connections of an organization (§8 Limits). */
    limiterFor(connection: ServiceConnection): Limiter {
      const { requestsPerSecond } = connection;
      const key = organizationKey(connection);
      return (task, options) => {
        const limiter = limiters.get(key) ?? open(key, requestsPerSecond);
        limiters.set(key, limiter);
        return limiter(task, options);
      };
    },
    /** The number of organizations with a limiter in memory. */
    size: () => limiters.size,
  };

  function open(key: string, requestsPerSecond: number): Limiter {
    let removal: NodeJS.Timeout | undefined;
    return createLimiter({
      maxRunning,
      secondMs,
      readRate: () => shareOf(requestsPerSecond),
      onBusy: () => clearTimeout(removal),
      onIdle() {
        clearTimeout(removal);
        removal = setTimeout(() => limiters.delete(key), idleMs).unref();
      },
    });
  }
}

/** When a request was started, in milliseconds. */
type Start = { at: number };

function createLimiter({
  maxRunning,
  secondMs,
  readRate,
  onBusy,
  onIdle,
}: {
  maxRunning: number;
  secondMs: number;
  readRate: () => number;
  onBusy: () => void;
  onIdle: () => void;
}): Limiter {
  const waiting: Record<Priority, Set<(start: Start) => void>> = {
    interactive: new Set(),
    background: new Set(),
  };
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const starts: Start[] = [];

  /** A sliding window: with fixed ones, two bursts could meet at the boundary. */
  function msUntilFree(now: number): number {
    const rate = readRate();
    if (rate <= 0) return recheckMs;
    const windowMs = secondMs / Math.min(1, rate);
    // Only from the front: the list is in the order of time, and with a high rate it is long.
    while (starts[0] && starts[0].at <= now - windowMs) starts.shift();
    const oldest = starts.at(-Math.max(1, Math.floor(rate)));
    return oldest === undefined ? 0 : oldest.at + windowMs - now;
  }

  function startWaiting(): void {
    clearTimeout(timer);
    while (running < maxRunning) {
      const queue = waiting.interactive.size > 0 ? waiting.interactive : waiting.background;
      const [begin] = queue;
      if (!begin) return;
      const now = performance.now();
      const waitMs = msUntilFree(now);
      if (waitMs > 0) {
        // The share may change meanwhile.
        timer = setTimeout(startWaiting, Math.min(Math.ceil(waitMs), secondMs));
        return;
      }
      const start = { at: now };
      starts.push(start);
      running += 1;
      queue.delete(begin);
      begin(start);
    }
  }

  function waitForTurn({ priority, signal }: TurnOptions): Promise<Start> {
    const { promise, resolve, reject } = Promise.withResolvers<Start>();
    const stopWaiting = () => {
      waiting[priority].delete(begin);
      leaveIfIdle();
      reject(signal.reason);
    };
    const begin = (start: Start) => {
      signal.removeEventListener('abort', stopWaiting);
      resolve(start);
    };
    waiting[priority].add(begin);
    if (signal.aborted) stopWaiting();
    else signal.addEventListener('abort', stopWaiting, { once: true });
    startWaiting();
    return promise;
  }

  function leaveIfIdle(): void {
    if (running === 0 && waiting.interactive.size + waiting.background.size === 0) onIdle();
  }

  return async (task, options) => {
    onBusy();
    const start = await waitForTurn(options);
    // On a busy process this is later, and the service counts from when it is sent.
    start.at = performance.now();
    try {
      return await task();
    } finally {
      running -= 1;
      startWaiting();
      leaveIfIdle();
    }
  };
}
