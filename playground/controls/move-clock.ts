import type { AdjustableClock } from '../adjustable-clock.ts';
import type { ClockChange, ControlAnswer } from './protocol.ts';

const hourMs = 60 * 60_000;
const lengths = { hour: hourMs, day: 24 * hourMs };

/** Moves the clock forward, then calls `onMoved`. */
export function createClockMover(clock: AdjustableClock, onMoved: () => void) {
  return ({ forward }: ClockChange): ControlAnswer => {
    clock.moveBy(lengths[forward]);
    onMoved();
    return { said: `Moved forward 1 ${forward}.` };
  };
}
