import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HTTPReceiver } from '@slack/bolt';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { createBoltLogger } from './bolt-logger.ts';
import { classifyBody } from './request-body.ts';
import { createSignatureJudge, type SignatureResult } from './signed-request.ts';

const eventsPath = '/slack/events';
const maxBodyBytes = 4 * 1024 * 1024;
const lingerMs = 500;
/** How long Slack waits for an acknowledgement; a request that takes longer is not worth waiting for. */
const slackWaitsMs = 3000;

/** What a refused request is answered with; no listener ever sees one. */
const refusals: Record<Exclude<SignatureResult, 'genuine'>, { status: number; reason: string }> = {
  forged: { status: 401, reason: 'The signature is missing, wrong, or older than 5 minutes.' },
  'from-the-future': { status: 401, reason: 'The timestamp lies in the future: check the clocks.' },
  repeated: { status: 409, reason: 'This request was received before. It was not handled again.' },
};

export type SlackHttp = {
  receiver: HTTPReceiver;
  /** Resolves to the port it listens on. */
  listen: (port: number, host: string) => Promise<number>;
  stop: () => Promise<void>;
};

/** Bolt's HTTP receiver behind Belay's own door, which judges a request before Bolt parses it. */
export function createSlackHttp(
  signingSecret: string,
  { log, clock }: { log: Logger; clock: Clock },
): SlackHttp {
  const receiver = new HTTPReceiver({ signingSecret, logger: createBoltLogger(log) });
  const judge = createSignatureJudge(signingSecret, clock);

  const server = createServer((request, response) => {
    admit(request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'a request to the Slack endpoint could not be read');
      if (!response.headersSent) refuse(response, 400, 'The request could not be read.');
    });
  });

  async function admit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== eventsPath) return refuse(response, 404, 'There is nothing here.');
    if (request.method !== 'POST') return refuse(response, 405, 'Only POST is answered here.');
    const body = await readBody(request);
    if (body === undefined) {
      hangUpSoon(request);
      return refuse(response, 413, 'The request is too large.');
    }
    const verdict = judge({
      signature: String(request.headers['x-slack-signature'] ?? ''),
      timestamp: String(request.headers['x-slack-request-timestamp'] ?? ''),
      body,
    });
    if (verdict !== 'genuine') {
      const { status, reason } = refusals[verdict];
      log.warn({ verdict }, 'refused a request to the Slack endpoint');
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

  return { receiver, ...serving(server) };
}

/** Undefined as soon as the body is larger than Slack ever sends. */
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
 * Swallows the rest of a body for a moment, so that its sender gets to read the answer, then cuts
 * the line; an unread rest would hold the connection open.
 */
function hangUpSoon(request: IncomingMessage): void {
  const impatience = setTimeout(() => request.destroy(), lingerMs);
  request.once('close', () => clearTimeout(impatience)).resume();
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${reason}\n`);
}

function serving(server: Server): Pick<SlackHttp, 'listen' | 'stop'> {
  return {
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
        const impatience = setTimeout(() => server.closeAllConnections(), slackWaitsMs);
        server.close(() => {
          clearTimeout(impatience);
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
