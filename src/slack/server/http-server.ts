import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HTTPReceiver } from '@slack/bolt';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { createSlackLogger } from '../api/slack-client.ts';
import { classifyBody } from './request-body.ts';
import { createSignatureVerifier, type SignatureResult } from './signature.ts';

const eventsPath = '/slack/events';
const maxBodyBytes = 4 * 1024 * 1024;
/** How long the sender of a body that is too large may take to read the answer. */
const discardMs = 500;
/** Slack waits this long for an acknowledgement, so nothing waits longer for a request to end. */
const ackTimeoutMs = 3000;

const refusals: Record<Exclude<SignatureResult, 'valid'>, { status: number; reason: string }> = {
  invalid: { status: 401, reason: 'The signature is missing, wrong, or older than 5 minutes.' },
  'from-the-future': { status: 401, reason: 'The timestamp lies in the future: check the clocks.' },
  replayed: { status: 409, reason: 'This request was received before. It was not handled again.' },
};

export type SlackHttp = {
  receiver: HTTPReceiver;
  /** Resolves to the port it listens on. */
  listen: (port: number, host: string) => Promise<number>;
  isListening: () => boolean;
  stop: () => Promise<void>;
};

/**
 * Bolt's HTTP receiver behind checks of its own: requests that are forged, too old, from the future,
 * replayed or malformed never reach Bolt.
 * @param signingSecret of the Slack app: https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function createSlackHttp(
  signingSecret: string,
  { log, clock }: { log: Logger; clock: Clock },
): SlackHttp {
  const receiver = new HTTPReceiver({ signingSecret, logger: createSlackLogger(log) });
  const verify = createSignatureVerifier(signingSecret, clock);

  const server = createServer((request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'a request to the Slack endpoint could not be read');
      if (!response.headersSent) refuse(response, 400, 'The request could not be read.');
    });
  });

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== eventsPath) return refuse(response, 404, 'There is nothing here.');
    if (request.method !== 'POST') return refuse(response, 405, 'Only POST is answered here.');
    const body = await readBody(request);
    if (body === undefined) {
      discardRest(request);
      return refuse(response, 413, 'The request is too large.');
    }
    const signature = verify({
      signature: String(request.headers['x-slack-signature'] ?? ''),
      timestamp: String(request.headers['x-slack-request-timestamp'] ?? ''),
      body,
    });
    if (signature !== 'valid') {
      const { status, reason } = refusals[signature];
      log.warn({ signature }, 'refused a request to the Slack endpoint');
      return refuse(response, status, reason);
    }
    const kind = classifyBody(request.headers['content-type'], body);
    if (kind === 'malformed') {
      log.warn({ bytes: body.length }, 'refused a malformed request to the Slack endpoint');
      return refuse(response, 400, 'The body is not what Slack sends.');
    }
    if (kind === 'acknowledge') return void response.writeHead(200).end();
    receiver.requestListener(Object.assign(request, { rawBody: Buffer.from(body) }), response);
  }

  return { receiver, ...startAndStop(server) };
}

/** Undefined as soon as the body is larger than any that Slack sends. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Discards the rest of a body for a moment, so that the sender can read the answer, then closes the
 * connection, which an unread body would keep open.
 */
function discardRest(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), discardMs);
  request.once('close', () => clearTimeout(timer)).resume();
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${reason}\n`);
}

function startAndStop(server: Server): Omit<SlackHttp, 'receiver'> {
  return {
    isListening: () => server.listening,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        const fail = (error: Error) => reject(listenFailure(error, port, host));
        server.once('error', fail);
        server.listen(port, host, () => {
          server.off('error', fail);
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : port);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), ackTimeoutMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function listenFailure(error: Error, port: number, host: string): Error {
  const code = 'code' in error ? error.code : undefined;
  const line =
    code === 'EADDRINUSE'
      ? `PORT: ${port} is in use on ${host}; choose another`
      : `HOST, PORT: cannot listen on ${host}:${port}: ${error.message}`;
  return new Error(line, { cause: error });
}
