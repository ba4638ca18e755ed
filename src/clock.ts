/** The current time; a parameter, so that tests can control it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Milliseconds since some moment, for how long something lasts in this process: nobody can set it back. */
export type MonotonicClock = () => number;

export const monotonicClock: MonotonicClock = () => performance.now();

/** How much the clocks of two processes may differ. */
const maxSkewMs = 1000;

/**
 * Whether the time is less than `maxMs` ago. One in the future isn't: the clock that it was read from was
 * set back since.
 */
export function isRecent(time: Date | number, now: Date, maxMs: number): boolean {
  const ageMs = +now - +time;
  return ageMs >= -maxSkewMs && ageMs < maxMs;
}
