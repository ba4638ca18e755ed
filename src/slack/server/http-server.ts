import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HTTPReceiver, isValidSlackRequest } from '@slack/bolt';
import type { Clock } from '../../clock.ts';
import { createFailureLog, type Logger } from '../../logger.ts';
import { createSlackLogger } from '../api/slack-client.ts';
import type { Pages } from './page.ts';
import { classifyBody } from './request-body.ts';
import {
  clientNetwork,
  limitUnverified,
  type UnverifiedConnections,
} from './unverified-connections.ts';

const eventsPath = '/slack/events';
/** Slack's largest requests, forms with 250 kB of state, are well below. */
const maxBodyBytes = 1024 * 1024;
/** A page's form has one field of at most 3,000 characters. */
const maxFormBytes = 16 * 1024;
const defaultLimits = {
  /** For the headers, and for the whole request. Slack sends it at once and waits 3 s for the answer. */
  receiveMs: 10_000,
  /** Of connections that have not sent a valid signature. A thousand clicks can arrive in one moment. */
  maxConnections: 2000,
  /** Of their bodies together. */
  maxBytes: 16 * 1024 * 1024,
};
/** How long the sender of a body that is not read may take to read the answer. */
const discardMs = 500;
/** Slack waits this long for an acknowledgement, so nothing waits longer for a request to end. */
const ackTimeoutMs = 3000;

const refusals: Record<Exclude<SignatureResult, 'valid'>, { status: number; reason: string }> = {
  invalid: { status: 401, reason: 'The signature is missing, wrong, or older than 5 minutes.' },
  'from-the-future': { status: 401, reason: 'The timestamp is in the future. Check the clocks.' },
  replayed: { status: 409, reason: 'This request was received before and was not handled again.' },
};

export type SlackHttp = ReturnType<typeof createSlackHttp>;

/**
 * Bolt's HTTP receiver behind checks of its own: requests that are forged, too old, from the future,
 * replayed or malformed never reach Bolt.
 * @param signingSecret of the Slack app: https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function createSlackHttp(
  signingSecret: string,
  {
    log,
    clock,
    pages = new Map(),
    limits = defaultLimits,
  }: {
    log: Logger;
    clock: Clock;
    pages?: Pages | undefined;
    limits?: typeof defaultLimits;
  },
) {
  const receiver = new HTTPReceiver({ signingSecret, logger: createSlackLogger(log) });
  const verify = createSignatureVerifier(signingSecret, clock);

  // Strangers can send as many requests as they like.
  const refused = createFailureLog(log, 'warn');
  const unreadable = createFailureLog(log, 'warn');
  const full = createFailureLog(log, 'warn');
  const unverified = limitUnverified({
    ...limits,
    onFull: () => full.failed({}, 'closed a connection without a signed request: too many'),
  });

  const { receiveMs } = limits;
  const timeouts = {
    headersTimeout: receiveMs,
    requestTimeout: receiveMs,
    connectionsCheckingInterval: receiveMs / 10,
  };
  const server = createServer(timeouts, (request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      unreadable.failed({ err: error }, 'a request to the Slack endpoint could not be read');
      if (!response.headersSent) refuse(response, 400, "The request couldn't be read.");
    });
  });
  server.on('connection', (socket) => {
    unverified.add(socket);
    socket.once('close', () => unverified.remove(socket));
  });

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== eventsPath) return servePage(request, response);
    if (request.method !== 'POST') return refuse(response, 405, 'Use POST.');
    const headers = {
      signature: String(request.headers['x-slack-signature'] ?? ''),
      timestamp: String(request.headers['x-slack-request-timestamp'] ?? ''),
    };
    if (!arePlausible(headers, clock())) return refuseSignature(response, 'invalid');
    unverified.add(request.socket);
    const body = await readBody(request, unverified);
    if (body === undefined) return refuse(response, 413, 'The request is too large.');
    const signature = verify({ ...headers, body });
    if (signature !== 'valid') return refuseSignature(response, signature);
    // Not added again when it is idle: Slack, or the proxy, may be sending its next request already.
    unverified.remove(request.socket);
    const kind = classifyBody(request.headers['content-type'], body);
    if (kind === 'malformed') {
      log.warn({ bytes: body.length }, 'refused a malformed request to the Slack endpoint');
      return refuse(response, 400, "The body isn't a valid Slack request.");
    }
    if (kind === 'acknowledge') return void response.writeHead(200).end();
    receiver.requestListener(Object.assign(request, { rawBody: Buffer.from(body) }), response);
  }

  /** Connections that ask for pages stay among those that prove nothing. */
  async function servePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '', 'http://localhost');
    const page = url && pages.get(url.pathname);
    if (!page) return refuse(response, 404, 'Not found.');
    const { get, post } = page;
    const isPost = post !== undefined && request.method === 'POST';
    if (!isPost && request.method !== 'GET') {
      return refuse(response, 405, post ? 'Use GET or POST.' : 'Use GET.');
    }
    unverified.add(request.socket);
    const { cookie: cookies, 'sec-fetch-site': site, 'x-forwarded-for': proxied } = request.headers;
    const network = clientNetwork(request.socket.remoteAddress ?? '', proxied?.toString());
    const pageRequest = { query: url.searchParams, cookies, network, fetchSite: site?.toString() };
    // The body of a GET request is ignored.
    const body = isPost ? await readBody(request, unverified, maxFormBytes) : '';
    if (body === undefined) return refuse(response, 413, 'The request is too large.');
    const form = new URLSearchParams(body);
    const { status, headers, html } = await (isPost
      ? post({ ...pageRequest, form })
      : get(pageRequest));
    if (!request.complete) discardRest(request);
    response.writeHead(status, headers).end(html);
  }

  function refuseSignature(response: ServerResponse, signature: keyof typeof refusals): void {
    const { status, reason } = refusals[signature];
    refused.failed({ signature }, 'refused a request to the Slack endpoint');
    refuse(response, status, reason);
  }

  return { receiver, ...startAndStop(server) };
}

/** Undefined as soon as the body is larger than `maxBytes`: by default, than any that Slack sends. */
async function readBody(
  request: IncomingMessage,
  unverified: UnverifiedConnections,
  maxBytes = maxBodyBytes,
): Promise<string | undefined> {
  const { socket } = request;
  if (Number(request.headers['content-length']) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      unverified.hold(socket, chunk.length);
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    unverified.hold(socket, -size);
  }
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
  if (!response.req.complete) discardRest(response.req);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${reason}\n`);
}

function startAndStop(server: Server) {
  return {
    isReceiving: () => server.listening,
    /** Resolves to the port it listens on. */
    start: (port: number, host: string) =>
      new Promise<number>((resolve, reject) => {
        const fail = (error: Error) => reject(listenFailure(error, port, host));
        server.once('error', fail);
        // Node's default of 511 is less than the clicks that can arrive in one moment.
        server.listen({ port, host, backlog: defaultLimits.maxConnections }, () => {
          server.off('error', fail);
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : port);
        });
      }),
    stop: () =>
      new Promise<void>((resolve) => {
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
      : `HOST, PORT: can't listen on ${host}:${port}: ${error.message}`;
  return new Error(line, { cause: error });
}

type SignatureHeaders = { signature: string; timestamp: string };

type SignedRequest = SignatureHeaders & { body: string };

type SignatureResult = 'valid' | 'invalid' | 'from-the-future' | 'replayed';

/** Slack's exact format. A laxer check would accept a replay with something appended. */
const signatureFormat = /^v0=[0-9a-f]{64}$/;

/** Unix time in whole seconds. */
const timestampFormat = /^\d{1,12}$/;

/** Clocks differ a little; the window toward the past is Slack's. */
const maxClockSkewSeconds = 30;
const maxAgeSeconds = 5 * 60;

/** False if the headers are missing, malformed or too old: the body then need not be read. */
function arePlausible({ signature, timestamp }: SignatureHeaders, now: Date): boolean {
  if (!signatureFormat.test(signature) || !timestampFormat.test(timestamp)) return false;
  return Math.floor(now.getTime() / 1000) - Number(timestamp) <= maxAgeSeconds;
}

/**
 * Verifies Slack's signatures. Bolt's check accepts exact replays and timestamps in the future; this
 * one refuses both. `seen` holds each signature for as long as its timestamp is valid.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function createSignatureVerifier(
  signingSecret: string,
  clock: Clock,
  seen = new Map<string, number>(),
) {
  return function verify({ signature, timestamp, body }: SignedRequest): SignatureResult {
    const at = clock();
    const now = at.getTime();
    if (!arePlausible({ signature, timestamp }, at)) return 'invalid';
    const seconds = Number(timestamp);
    const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds };
    if (!isValidSlackRequest({ signingSecret, body, headers, nowMilliseconds: now })) {
      return 'invalid';
    }

    if (seconds * 1000 > now + maxClockSkewSeconds * 1000) return 'from-the-future';

    for (const [old, until] of seen) {
      if (until > now) break;
      seen.delete(old);
    }
    if (seen.has(signature)) return 'replayed';
    // Every entry lives equally long, so insertion order is close enough to order of expiry.
    // One second more than the window, because Slack's check counts whole seconds.
    seen.set(signature, now + (maxAgeSeconds + maxClockSkewSeconds + 1) * 1000);
    return 'valid';
  };
}
