import type { Clock } from '../../src/clock.ts';
import {
  type Deliver,
  deliverByHttp,
  type RawRequest,
  type RawResponse,
  sendSigned,
} from './delivery.ts';
import type { Received } from './received.ts';
import { createSocketMode, type SocketMode } from './socket-mode.ts';
import type { LocalState } from './state.ts';
import type { SlackApp } from './workspace.ts';

/** How the local Slack reaches the app: over Socket Mode while it is connected, else by HTTP. */
export type AppLink = {
  /** Sets the app's request URL. */
  connect: (requestUrl: string) => void;
  requestUrl: () => string | undefined;
  deliver: Deliver;
  sendRaw: (request: RawRequest) => Promise<RawResponse>;
  socketMode: SocketMode;
};

export const createAppLink = (
  app: SlackApp,
  {
    ackTimeoutMs,
    requestClock,
    initialUrl,
  }: { ackTimeoutMs: number; requestClock: Clock; initialUrl: string | undefined },
): AppLink => {
  const socketMode = createSocketMode(app.appId, ackTimeoutMs);
  let requestUrl = initialUrl;
  const target = (url: string) => ({
    requestUrl: url,
    signingSecret: app.signingSecret,
    timeoutMs: ackTimeoutMs,
    requestClock,
  });
  return {
    connect: (newUrl) => {
      requestUrl = newUrl;
    },
    requestUrl: () => requestUrl,
    deliver: async (kind, payload, retry) => {
      if (socketMode.isConnected()) return socketMode.deliver(kind, payload, retry);
      if (!requestUrl) return { kind: 'dispatch_failed' };
      return deliverByHttp(target(requestUrl), kind, payload, retry);
    },
    sendRaw: async (request) => {
      if (!requestUrl) throw new Error('No app is connected over HTTP.');
      return sendSigned(target(requestUrl), request);
    },
    socketMode,
  };
};

/**
 * Delivers payloads of one workspace and records the app's responses. Delivers nothing if the app isn't
 * installed there.
 */
export const deliverFrom =
  (state: LocalState, deliver: Deliver, received: Received[]): Deliver =>
  async (kind, payload, retry) => {
    if (!state.installation) return { kind: 'dispatch_failed' };
    const ack = await deliver(kind, payload, retry);
    if (ack.kind === 'acked' && ack.body) {
      const { teamId } = state.workspace;
      received.push({ teamId, via: 'acknowledgement', content: ack.body, at: state.clock() });
    }
    return ack;
  };
