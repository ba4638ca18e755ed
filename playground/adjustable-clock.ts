import type { Clock } from '../src/clock.ts';

/** A clock that runs at the usual speed and can be moved forward. */
export type AdjustableClock = {
  now: Clock;
  moveBy: (ms: number) => void;
  /** Does nothing if that time is over: time never runs backward. */
  moveTo: (time: Date) => void;
};

/** @param startAt by default the real time */
export function createAdjustableClock(startAt = new Date()): AdjustableClock {
  let aheadMs = startAt.getTime() - Date.now();
  const now = () => new Date(Date.now() + aheadMs);
  const moveBy = (ms: number) => {
    aheadMs += Math.max(0, ms);
  };
  return { now, moveBy, moveTo: (time) => moveBy(time.getTime() - now().getTime()) };
}
