import type { IncomingMessage, ServerResponse } from 'node:http';

/** How all calls from the app fail during an outage of Slack. */
export type Outage =
  /** This HTTP status, without a body. */
  | { kind: 'status'; status: number }
  | { kind: 'rate-limited'; retryAfterSeconds: number }
  /** No answer until the outage ends; then the connection is closed. */
  | { kind: 'silent' };

export type OutageSwitch = {
  /** Begins an outage, or ends it with undefined. */
  set: (outage: Outage | undefined) => void;
  /** True if an outage took the request. The call has no effect then. */
  take: (request: IncomingMessage, response: ServerResponse) => boolean;
};

export const createOutageSwitch = (): OutageSwitch => {
  let current: Outage | undefined;
  const held = new Set<ServerResponse>();

  return {
    set: (outage) => {
      current = outage;
      for (const response of held) response.destroy();
      held.clear();
    },
    take: (request, response) => {
      if (!current) return false;
      request.resume();
      if (current.kind === 'silent') held.add(response);
      else if (current.kind === 'status') response.writeHead(current.status).end();
      else response.writeHead(429, { 'retry-after': String(current.retryAfterSeconds) }).end();
      return true;
    },
  };
};
