import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Answer, refuse, send } from './answer.ts';
import { answerRequest, type PortalState } from './answer-request.ts';
import { type Faults, suffer } from './faults.ts';
import { readBody } from './read-body.ts';
import { type ReceivedRequest, record } from './request-log.ts';

export type PortalServerOptions = {
  portalId: string;
  port: number;
  state: PortalState;
  faults: Faults;
  log: ReceivedRequest[];
};

export type PortalServer = { baseUrl: string; close: () => Promise<void> };

/** One portal as its own origin on the loopback. Rejects if the port cannot be had. */
export async function startPortalServer(options: PortalServerOptions): Promise<PortalServer> {
  const closing = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, options, closing.signal).catch((error: unknown) => {
      // Whoever left, client or service, is past caring; everything else is a defect to be seen.
      if (closing.signal.aborted || request.socket.destroyed) response.destroy();
      else send(response, refuse(500, `The reference service failed: ${String(error)}`));
    });
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    async close() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
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

  const fault = faults.strike({ portalId, method, path: target });
  const act = () => answerRequest({ method, target, headers, body }, state);
  const reply = (answer: Answer) => {
    received.status = answer.status;
    send(response, answer);
  };

  const acted = fault?.afterActing ? act() : undefined;
  const outcome = fault ? await suffer(fault, request, closing) : { next: 'proceed' as const };
  if (outcome.next === 'silence') return;
  reply(outcome.next === 'answer' ? outcome.answer : (acted ?? act()));
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
