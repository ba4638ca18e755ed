import type { Clock } from '../../../src/clock.ts';
import type { Fault, FaultMatch, FaultOf } from './fault.ts';
import { createRateLimit } from './rate-limit.ts';

/** The fault that applies to a request, and how often it applied before. */
export type FaultHit = { fault: Exclude<Fault, FaultOf<'rate-limit'>>; before: number };

export type ActiveFault = { fault: Fault; match: FaultMatch };

/** The active faults. If several match a request, the oldest applies. */
export type ActiveFaults = {
  /** Replaces all active faults; undefined removes them. */
  set: (fault: Fault | undefined, match?: FaultMatch) => void;
  add: (fault: Fault, match?: FaultMatch) => void;
  posted: () => ActiveFault[];
  strike: (request: { portalId: string; method: string; path: string }) => FaultHit | undefined;
};

type Entry = ActiveFault & {
  struck: number;
  meet: (portalId: string) => FaultHit['fault'] | undefined;
};

export function createActiveFaults(clock: Clock): ActiveFaults {
  let entries: Entry[] = [];

  function add(fault: Fault, match: FaultMatch = {}): void {
    // A rate limit only applies to requests above it, and then as a status.
    const meet = fault.kind === 'rate-limit' ? createRateLimit(fault, clock) : () => fault;
    entries.push({ fault, match, struck: 0, meet });
  }

  return {
    set(fault, match) {
      entries = [];
      if (fault) add(fault, match);
    },
    add,
    posted: () => entries.map(({ fault, match }) => ({ fault, match })),
    strike(request) {
      for (const entry of entries) {
        const fault = matches(entry, request) ? entry.meet(request.portalId) : undefined;
        if (!fault) continue;
        entry.struck += 1;
        return { fault, before: entry.struck - 1 };
      }
      return undefined;
    },
  };
}

function matches(
  { match, struck }: Entry,
  { portalId, method, path }: { portalId: string; method: string; path: string },
): boolean {
  if (struck >= (match.times ?? Number.POSITIVE_INFINITY)) return false;
  if (match.portalId !== undefined && match.portalId !== portalId) return false;
  if (match.method !== undefined && match.method !== method) return false;
  return path.startsWith(match.pathPrefix ?? '');
}
