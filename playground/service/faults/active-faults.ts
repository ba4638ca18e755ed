import type { Clock } from '../../../src/clock.ts';
import type { Fault, FaultMatch, FaultOf } from './fault.ts';
import { createRateLimit } from './rate-limit.ts';

/** A fault that a request meets, and how often it struck before. */
export type Strike = { fault: Exclude<Fault, FaultOf<'rate-limit'>>; before: number };

export type PostedFault = { fault: Fault; match: FaultMatch };

/** The faults in force. Of several that match a request, the one posted first strikes. */
export type FaultBoard = {
  /** In place of all others; undefined ends all. */
  set: (fault: Fault | undefined, match?: FaultMatch) => void;
  add: (fault: Fault, match?: FaultMatch) => void;
  posted: () => PostedFault[];
  strike: (request: { portalId: string; method: string; path: string }) => Strike | undefined;
};

type Entry = PostedFault & {
  struck: number;
  meet: (portalId: string) => Strike['fault'] | undefined;
};

export function createFaultBoard(clock: Clock): FaultBoard {
  let entries: Entry[] = [];

  function add(fault: Fault, match: FaultMatch = {}): void {
    // A rate limit strikes only those that exceed it, and then as a status.
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
