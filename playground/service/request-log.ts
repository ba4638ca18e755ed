import type { IncomingHttpHeaders } from 'node:http';

/** What a portal received, for tests to look at; the status is absent until an answer was sent. */
export type ReceivedRequest = {
  portalId: string;
  method: string;
  /** Path and query, as received. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  status?: number;
};

const kept = 10_000;

/** Forgets the oldest, so that a playground left open overnight does not fill the memory. */
export function record(log: ReceivedRequest[], request: ReceivedRequest): void {
  log.push(request);
  if (log.length > kept) log.shift();
}
