import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../src/clock.ts';
import {
  type Deliver,
  deliverByHttp,
  type RawRequest,
  type RawResponse,
  sendSigned,
} from './delivery.ts';
import { createEventSender } from './events.ts';
import { performGesture } from './gestures.ts';
import { isOwnRequest, parseJson, readBody, sendJson } from './http.ts';
import { createOutageSwitch, type Outage } from './outage.ts';
import { isPagePath, servePageApi } from './page-api.ts';
import { findPerson } from './people.ts';
import type { Gesture, GestureOutcome, Person, Snapshot } from './protocol.ts';
import { answerAt, RESPONSE_PATH } from './response-url.ts';
import { snapshotFor } from './snapshot.ts';
import { createSocketMode } from './socket-mode.ts';
import { changed, createState, resetState } from './state.ts';
import { API_PATH, type ApiFault, type ApiRecord, serveApi } from './web-api/endpoint.ts';
import { type MessageRate, noTraffic } from './web-api/message-rate.ts';
import type { ApiCall } from './web-api/router.ts';
import type { Workspace } from './workspace.ts';

export type LocalSlackOptions = {
  workspace: Workspace;
  clock?: Clock;
  port?: number;
  /** The app's request URL; `connectApp` can set it later. */
  requestUrl?: string;
  ackTimeoutMs?: number;
  /** Handles all other requests, such as those for the page. */
  page?: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
};

export type LocalSlack = {
  /** The origin of this server. */
  url: string;
  /** The base URL of the Web API; ends with `/api/`. */
  apiUrl: string;
  connectApp: (requestUrl: string) => void;
  /** Performs a gesture. Resolves when the app has acknowledged it, or after the timeout. */
  perform: (slackUserId: string, gesture: Gesture, tabId?: string) => Promise<GestureOutcome>;
  snapshot: (slackUserId: string, tabId?: string) => Snapshot;
  /** Calls the listener after each change. Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
  calls: readonly ApiCall[];
  /**
   * Makes the next call of this method fail with this error; `ratelimited` responds 429. The method
   * `response_url` stands for the next answer at one, which can fail with a status.
   */
  failNext: (method: string, fault: ApiFault) => void;
  /** Makes all calls from the app fail, response URLs included, until it is set to undefined. */
  setOutage: (outage: Outage | undefined) => void;
  /** Drops the connections of Socket Mode without a close frame. */
  dropSockets: () => void;
  /** The app's rate of messages in this conversation, ephemeral ones not counted. */
  messageRateOf: (channelId: string) => MessageRate;
  setPerson: (slackUserId: string, changes: Partial<Omit<Person, 'slackUserId'>>) => void;
  /** Delivers a custom payload to the app as Slack does, by HTTP or Socket Mode. */
  deliver: Deliver;
  /** Sends a custom request to the app, signed unless it has a signature. */
  sendRaw: (request: RawRequest) => Promise<RawResponse>;
  reset: () => void;
  close: () => Promise<void>;
};

const responseFault = 'response_url';

const listen = (server: ReturnType<typeof createServer>, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address) resolve(address.port);
    });
  });

/** Starts a local Slack: the Web API, deliveries to the app, and the people who use it. */
export const startLocalSlack = async (options: LocalSlackOptions): Promise<LocalSlack> => {
  const { workspace, clock = systemClock, ackTimeoutMs = 3000, page } = options;
  const state = createState(workspace, clock);
  const socketMode = createSocketMode(workspace.app.appId, ackTimeoutMs);
  const record: ApiRecord = { calls: [], faults: new Map(), rates: new Map() };
  const outage = createOutageSwitch();
  let requestUrl = options.requestUrl;

  const target = (url: string) => ({
    requestUrl: url,
    signingSecret: workspace.app.signingSecret,
    timeoutMs: ackTimeoutMs,
  });
  const deliver: Deliver = async (kind, payload, retry) => {
    if (socketMode.isConnected()) return socketMode.deliver(kind, payload, retry);
    if (!requestUrl) return { kind: 'dispatch_failed' };
    return deliverByHttp(target(requestUrl), kind, payload, retry);
  };
  const events = createEventSender(state, deliver);
  state.onMessage = events.send;

  const perform: LocalSlack['perform'] = async (slackUserId, gesture, tabId = '') => {
    const person = findPerson(state, slackUserId);
    if (!person) return { result: 'refused', reason: 'Person not found.' };
    const client = { slackUserId, tabId };
    return performGesture({ state, person, client, deliver, baseUrl: url }, gesture);
  };
  const snapshot: LocalSlack['snapshot'] = (slackUserId, tabId = '') =>
    snapshotFor(state, { slackUserId, tabId });
  const subscribe = (listener: () => void): (() => void) => {
    state.listeners.add(listener);
    return () => state.listeners.delete(listener);
  };
  const pagePort = {
    hasPerson: (id: string) => state.people.has(id),
    snapshot,
    subscribe,
    perform,
  };

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOwnRequest(request, port))
      return sendJson(response, 403, { error: 'Requests from other origins are not allowed.' });
    const asked = new URL(request.url ?? '/', url);
    const isFromApp = [API_PATH, RESPONSE_PATH].some((path) => asked.pathname.startsWith(path));
    if (isFromApp && outage.take(request, response)) return;
    if (asked.pathname.startsWith(API_PATH)) {
      const openSocket = () => `ws://127.0.0.1:${port}${socketMode.issuePath()}`;
      return serveApi({ state, baseUrl: url, openSocket }, record, asked, request, response);
    }
    if (asked.pathname.startsWith(RESPONSE_PATH) && request.method === 'POST') {
      const fault = record.faults.get(responseFault)?.shift();
      if (typeof fault === 'object' && 'status' in fault) {
        return void response.writeHead(fault.status).end();
      }
      const token = asked.pathname.slice(RESPONSE_PATH.length);
      const answer = answerAt(state, token, parseJson(await readBody(request)));
      return sendJson(response, answer.status, answer.body);
    }
    if (isPagePath(asked.pathname)) return servePageApi(pagePort, asked, request, response);
    if (page) return page(request, response);
    sendJson(response, 404, { error: 'Not found.' });
  };

  const server = createServer((request, response) => {
    route(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { ok: false, error: 'internal_error' });
    });
  });
  // Longer than any pause of an app: a call must not meet a connection that is just being closed.
  server.keepAliveTimeout = 600_000;
  server.on('upgrade', socketMode.upgrade);
  const port = await listen(server, options.port ?? 0);
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    apiUrl: `${url}${API_PATH}`,
    connectApp: (newUrl) => {
      requestUrl = newUrl;
    },
    perform,
    snapshot,
    subscribe,
    calls: record.calls,
    failNext: (method, fault) => {
      record.faults.set(method, [...(record.faults.get(method) ?? []), fault]);
    },
    setOutage: outage.set,
    dropSockets: socketMode.dropAll,
    messageRateOf: (channelId) => record.rates.get(channelId) ?? noTraffic,
    setPerson: (slackUserId, changes) => {
      const person = findPerson(state, slackUserId);
      if (!person) throw new Error(`The workspace has no person ${slackUserId}.`);
      Object.assign(person, changes);
      changed(state);
    },
    deliver,
    sendRaw: async (request) => {
      if (!requestUrl) throw new Error('No app is connected over HTTP.');
      return sendSigned(target(requestUrl), request);
    },
    reset: () => {
      record.calls.length = 0;
      record.faults.clear();
      record.rates.clear();
      resetState(state);
    },
    close: async () => {
      events.close();
      outage.set(undefined);
      await socketMode.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};
