import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { refuse, send } from './answer.ts';
import { answerRequest, type PortalState } from './answer-request.ts';
import { deliver } from './faults/deliver.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import { suffer } from './faults/suffer.ts';
import { type ListeningServer, listen } from './listen.ts';
import { readBody } from './read-body.ts';
import { type ReceivedRequest, record } from './request-log.ts';

export type PortalServerOptions = {
  portalId: string;
  port: number;
  state: PortalState;
  faults: FaultBoard;
  log: ReceivedRequest[];
};

/** One portal as its own origin on the loopback. Rejects if the port cannot be had. */
export async function startPortalServer(options: PortalServerOptions): Promise<ListeningServer> {
  const closing = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, options, closing.signal).catch((error: unknown) => {
      // Whoever left, client or service, is past caring; everything else is a defect to be seen.
      if (closing.signal.aborted || request.socket.destroyed) response.destroy();
      else send(response, refuse(500, `The reference service failed: ${String(error)}`));
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
  { portalId, state, faults, log }: PortalServerOptions,
  closing: AbortSignal,
): Promise<void> {
  const { method = '', url: target = '', headers } = request;
  const received: ReceivedRequest = { portalId, method, path: target, headers, body: '' };
  record(log, received);
  const body = await readBody(request);
  received.body = body.text;

  const strike = faults.strike({ portalId, method, path: target });
  const act = (to: string) => answerRequest({ method, target: to, headers, body }, state);
  const answer = strike ? await suffer(strike, { request, act, state, closing }) : act(target);
  if (!answer) return;
  received.status = answer.status;
  await deliver(response, answer, strike?.fault, closing);
}
