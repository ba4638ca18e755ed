/** Work that becomes due at some moment and is done in that order. */
export type Backlog = {
  /** Times must not decrease from call to call. */
  add: (dueAt: number, count: number) => void;
  /** Takes up to `max` of what is due at `now`; calls back with each part. Returns how much. */
  take: (max: number, now: number, onTaken?: (count: number, dueAt: number) => void) => number;
  /** What is due at `now`. */
  due: (now: number) => number;
};

/** Below this, what is left of a part is a rounding error. */
const epsilon = 1e-9;

/** Counts may be fractions: the model moves shares of work. */
export function createBacklog(): Backlog {
  const parts: { dueAt: number; count: number }[] = [];
  let first = 0;
  /** Parts from here on are not yet counted in `waiting`. */
  let next = 0;
  let waiting = 0;

  function advance(now: number): void {
    for (let part = parts[next]; part && part.dueAt <= now; part = parts[next]) {
      waiting += part.count;
      next += 1;
    }
  }

  return {
    add(dueAt, count) {
      if (count <= 0) return;
      const last = parts.at(-1);
      // Not one that is counted in `waiting` already.
      if (last?.dueAt === dueAt && next < parts.length) last.count += count;
      else parts.push({ dueAt, count });
    },
    due(now) {
      advance(now);
      return waiting;
    },
    take(max, now, onTaken) {
      advance(now);
      let taken = 0;
      while (first < next && max - taken > epsilon) {
        const part = parts[first];
        if (!part) break;
        const count = Math.min(part.count, max - taken);
        onTaken?.(count, part.dueAt);
        taken += count;
        part.count -= count;
        if (part.count <= epsilon) first += 1;
      }
      waiting = first === next ? 0 : waiting - taken;
      if (first > 10_000) {
        parts.splice(0, first);
        next -= first;
        first = 0;
      }
      return taken;
    },
  };
}
