import { Agent } from 'undici';

/** Timeouts of one request, in milliseconds. */
export type ServiceTimeouts = {
  connectMs: number;
  headersMs: number;
  bodyMs: number;
};

const defaultTimeouts: ServiceTimeouts = { connectMs: 2_000, headersMs: 10_000, bodyMs: 10_000 };
/** Maximum concurrent requests per organization. The limiter sends interactive requests first. */
export const maxRequestsPerOrganization = 6;
/**
 * Shared by all organizations of a region. Higher than the limit per organization: without a free
 * connection, a request waits in undici's queue, which has no priorities, perhaps behind an organization that
 * hangs.
 */
export const maxConnectionsPerOrigin = 4 * maxRequestsPerOrganization;
const maxResponseBytes = 10 * 1024 * 1024;

/**
 * The keep-alive pool shared by all service clients of a process. The caller closes it. `bodyMs`
 * limits the silence within a body; the client's `timeoutMs` limits the whole call.
 */
export function createDispatcher(timeouts: Partial<ServiceTimeouts> = {}): Agent {
  const { connectMs, headersMs, bodyMs } = { ...defaultTimeouts, ...timeouts };
  return new Agent({
    connections: maxConnectionsPerOrigin,
    connect: { timeout: connectMs },
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    maxResponseSize: maxResponseBytes,
    // One HTTP/2 connection could carry any number of requests at once, past the limits above.
    allowH2: false,
  });
}
