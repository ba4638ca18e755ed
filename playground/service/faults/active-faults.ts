import type { Clock } from '../../../src/clock.ts';
import type { Fault, FaultMatch, FaultOf } from './fault.ts';
import { createRateLimit } from './rate-limit.ts';

/** The fault that applies to a request, and how often it applied before. */
export type FaultHit = {
  fault: Exclude<Fault, FaultOf<'rate-limit'>>;
  previousHits: number;
  /** Aborted when the fault is removed. */
  removed: AbortSignal;
};

type ActiveFault = { fault: Fault; match: FaultMatch };

/** The active faults. If several match a request, the oldest applies. */
export type ActiveFaults = {
  /** Replaces all active faults; undefined removes them. */
  set: (fault: Fault | undefined, match?: FaultMatch) => void;
  add: (fault: Fault, match?: FaultMatch) => void;
  list: () => ActiveFault[];
  match: (request: { portalId: string; method: string; path: string }) => FaultHit | undefined;
};

type Entry = ActiveFault & {
  hits: number;
  removal: AbortController;
  faultFor: (portalId: string) => FaultHit['fault'] | undefined;
};

export function createActiveFaults(clock: Clock): ActiveFaults {
  let entries: Entry[] = [];

  function add(fault: Fault, match: FaultMatch = {}): void {
    // A rate limit only applies to requests above it, and then as a status.
    const faultFor = fault.kind === 'rate-limit' ? createRateLimit(fault, clock) : () => fault;
    entries.push({ fault, match, hits: 0, removal: new AbortController(), faultFor });
  }

  return {
    set(fault, match) {
      for (const { removal } of entries) removal.abort();
      entries = [];
      if (fault) add(fault, match);
    },
    add,
    list: () => entries.map(({ fault, match }) => ({ fault, match })),
    match(request) {
      for (const entry of entries) {
        const fault = matches(entry, request) ? entry.faultFor(request.portalId) : undefined;
        if (!fault) continue;
        entry.hits += 1;
        return { fault, previousHits: entry.hits - 1, removed: entry.removal.signal };
      }
      return undefined;
    },
  };
}

function matches(
  { match, hits }: Entry,
  { portalId, method, path }: { portalId: string; method: string; path: string },
): boolean {
  if (hits >= (match.times ?? Number.POSITIVE_INFINITY)) return false;
  if (match.portalId !== undefined && match.portalId !== portalId) return false;
  if (match.method !== undefined && match.method !== method) return false;
  return path.startsWith(match.pathPrefix ?? '');
}
