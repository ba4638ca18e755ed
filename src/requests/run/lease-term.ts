import type { Clock } from '../../clock.ts';
import { addMilliseconds } from '../../dates.ts';
import type { Lease } from '../store/running.ts';

/** The lease of a running step ended, or another process has it. */
export class LeaseEndedError extends Error {
  override name = 'LeaseEndedError';
}

/** The lease of a running step, as the process that holds it knows it. */
export type LeaseTerm = {
  /**
   * Takes or renews the lease with a statement, which returns a falsy value if the lease is
   * somebody else's. The new end counts from before the statement: a slow one must not prolong it.
   */
  extend: <Result>(statement: (lease: Lease) => Promise<Result>) => Promise<Result>;
  /** Aborted at the end of the lease, with a `LeaseEndedError`. */
  signal: AbortSignal;
  /** Whether the lease lasts at this moment. Aborts the signal if not, whatever its timer says. */
  isHeld: () => boolean;
  release: () => void;
};

/**
 * Starts without a lease: `extend` takes it. Its end is checked against two clocks, because the wall
 * clock can be set back, and the monotonic one stands still while a virtual machine is suspended.
 * The signal is for what waits; a process that was stopped may run its timers late, so the clocks
 * are read again before each request.
 */
export function startLeaseTerm(
  holder: string,
  {
    clock,
    leaseMs,
    now = () => performance.now(),
  }: { clock: Clock; leaseMs: number; now?: () => number },
): LeaseTerm {
  const controller = new AbortController();
  const { signal } = controller;
  const end = () => controller.abort(new LeaseEndedError('the lease of the step has ended'));
  let until: Date | undefined;
  let endsAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function isHeld(): boolean {
    const isOver = until === undefined || clock() >= until || now() >= endsAt;
    if (isOver) end();
    return !signal.aborted;
  }

  return {
    signal,
    isHeld,
    async extend(statement) {
      const next = { until: addMilliseconds(clock(), leaseMs), endsAt: now() + leaseMs };
      const result = await statement({ holder, until: next.until });
      clearTimeout(timer);
      if (!result) {
        end();
        return result;
      }
      ({ until, endsAt } = next);
      if (!signal.aborted) timer = setTimeout(end, endsAt - now()).unref();
      return result;
    },
    release: () => clearTimeout(timer),
  };
}
