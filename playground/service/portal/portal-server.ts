import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type ListeningServer, listen } from '../../listen.ts';
import type { ActiveFaults } from '../faults/active-faults.ts';
import { applyFault } from '../faults/apply-fault.ts';
import { sendWithFault } from '../faults/send-response.ts';
import { readBody } from '../http/read-body.ts';
import { errorResponse, send } from '../http/response.ts';
import { handleRequest, type PortalState } from './handle-request.ts';

/** A received request, for tests. The status is set once the response is sent. */
export type ReceivedRequest = {
  portalId: string;
  method: string;
  /** Path and query, as received. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  status?: number;
};

export type PortalServerOptions = {
  portalId: string;
  port: number;
  state: PortalState;
  faults: ActiveFaults;
  log: ReceivedRequest[];
  /** Called when a request was handled, before its response is sent. */
  onHandled: (request: ReceivedRequest) => void;
};

/** Starts one portal as an origin on the loopback. Rejects if the port is taken. */
export async function startPortalServer(options: PortalServerOptions): Promise<ListeningServer> {
  const closing = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, options, closing.signal).catch((error: unknown) => {
      // Errors after a disconnect or during shutdown are expected; any other error is a bug and
      // reported.
      if (closing.signal.aborted || request.socket.destroyed) response.destroy();
      else send(response, errorResponse(500, `The reference service failed: ${String(error)}`));
    });
  });
  const { baseUrl, close } = await listen(server, options.port);
  return {
    baseUrl,
    async close() {
      closing.abort();
      await close();
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { portalId, state, faults, log, onHandled }: PortalServerOptions,
  closing: AbortSignal,
): Promise<void> {
  const { method = '', url: target = '', headers } = request;
  const received: ReceivedRequest = { portalId, method, path: target, headers, body: '' };
  record(log, received);
  const body = await readBody(request);
  received.body = body.text;

  const hit = faults.match({ portalId, method, path: target });
  const handle = (to: string) => handleRequest({ method, target: to, headers, body }, state);
  const result = hit ? await applyFault(hit, { request, handle, state, closing }) : handle(target);
  if (!result) return;
  received.status = result.status;
  response.setHeader('date', state.clock().toUTCString());
  onHandled(received);
  await sendWithFault(response, result, hit?.fault, closing);
}

const maxLoggedRequests = 10_000;

/** Drops the oldest, so that a playground left open overnight doesn't fill the memory. */
function record(log: ReceivedRequest[], request: ReceivedRequest): void {
  log.push(request);
  if (log.length > maxLoggedRequests) log.shift();
}
