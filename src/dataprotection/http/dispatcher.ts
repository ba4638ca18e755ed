import { Agent } from 'undici';

/** Time-outs of one request, each in milliseconds. */
export type ServiceTimeouts = {
  connectMs: number;
  headersMs: number;
  bodyMs: number;
};

const defaultTimeouts: ServiceTimeouts = { connectMs: 2_000, headersMs: 10_000, bodyMs: 10_000 };
export const maxConnectionsPerOrigin = 6;
const maxAnswerBytes = 10 * 1024 * 1024;

/**
 * The pool of kept-alive connections that all service clients of a process share.
 * The caller closes it. `bodyMs` is the longest silence within a body; how long a
 * whole call may take is the client's `timeoutMs`.
 */
export function createDispatcher(timeouts: Partial<ServiceTimeouts> = {}): Agent {
  const { connectMs, headersMs, bodyMs } = { ...defaultTimeouts, ...timeouts };
  return new Agent({
    connections: maxConnectionsPerOrigin,
    connect: { timeout: connectMs },
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    maxResponseSize: maxAnswerBytes,
    // One HTTP/2 connection would carry any number of requests at once, past the limit above.
    allowH2: false,
  });
}
