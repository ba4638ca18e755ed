import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, refuse } from './answer.ts';

/** Ways in which a service disappoints its clients. */
type Misbehaviour =
  | { kind: 'slow'; delayMs: number }
  /** A gateway's page: 200, but HTML. */
  | { kind: 'html' }
  | { kind: 'status'; status: number; headers?: Readonly<Record<string, string>> }
  /** No answer until the client or the service goes. */
  | { kind: 'hang' }
  /** The connection breaks. */
  | { kind: 'reset' };

/** `afterActing`: the request does its work first, and the fault spoils the answer. */
export type Fault = Misbehaviour & { afterActing?: boolean };

export type FaultMatch = {
  portalId?: string;
  method?: string;
  pathPrefix?: string;
  /** How many matching requests it strikes; all of them by default. */
  times?: number;
};

export type Faults = {
  set: (fault: Fault | undefined, match?: FaultMatch) => void;
  strike: (request: { portalId: string; method: string; path: string }) => Fault | undefined;
};

/** Holds the one fault in force; setting another replaces it, setting none ends it. */
export function createFaults(): Faults {
  let current: { fault: Fault; match: FaultMatch; left: number } | undefined;
  return {
    set(fault, match = {}) {
      current = fault && { fault, match, left: match.times ?? Number.POSITIVE_INFINITY };
    },
    strike({ portalId, method, path }) {
      if (!current || current.left === 0) return undefined;
      const { match, fault } = current;
      if (match.portalId !== undefined && match.portalId !== portalId) return undefined;
      if (match.method !== undefined && match.method !== method) return undefined;
      if (!path.startsWith(match.pathPrefix ?? '')) return undefined;
      current.left -= 1;
      return fault;
    },
  };
}

type Outcome = { next: 'proceed' } | { next: 'answer'; answer: Answer } | { next: 'silence' };

/** Lets the fault happen, and says what is left to do for whoever serves the request. */
export async function suffer(
  fault: Fault,
  request: IncomingMessage,
  closing: AbortSignal,
): Promise<Outcome> {
  switch (fault.kind) {
    case 'slow':
      await delay(fault.delayMs, undefined, { signal: closing });
      return { next: 'proceed' };
    case 'html':
      return { next: 'answer', answer: htmlPage };
    case 'status':
      return { next: 'answer', answer: refuse(fault.status, 'A fault on demand.', fault.headers) };
    case 'hang':
      await once(request.socket, 'close', { signal: closing });
      return { next: 'silence' };
    case 'reset':
      request.socket.resetAndDestroy();
      return { next: 'silence' };
  }
}

const htmlPage: Answer = {
  status: 200,
  contentType: 'text/html; charset=utf-8',
  text: '<!doctype html><title>Gateway</title><h1>We will be right back</h1>',
};
