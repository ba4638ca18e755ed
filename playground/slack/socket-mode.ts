import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { parseJson } from '../../src/json.ts';
import { type Ack, type Deliver, parseAckBody } from './delivery.ts';
import { unguessable } from './state.ts';
import { startTimeLimit } from './time-limit.ts';

const envelopeAck = z.object({ envelope_id: z.string(), payload: z.unknown().optional() });

const SOCKET_LIMIT = 10;

export type SocketMode = {
  /** Issues the path and query of a single-use URL for `apps.connections.open`. */
  issuePath: () => string;
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  isConnected: () => boolean;
  deliver: Deliver;
  /** Ends all connections without a close frame, as a network failure does. */
  dropAll: () => void;
  close: () => Promise<void>;
};

/** Closes a socket, and terminates it if the client does not answer the close frame. */
const closeSocket = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), 500);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(1001);
  });

/** The server of Socket Mode. https://docs.slack.dev/apis/events-api/using-socket-mode */
export const createSocketMode = (appId: string, ackTimeoutMs: number): SocketMode => {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const sockets: WebSocket[] = [];
  const waiting = new Map<string, (ack: Ack) => void>();

  const onMessage = (text: string): void => {
    const ack = envelopeAck.safeParse(parseJson(text)).data;
    if (!ack) return;
    const body = ack.payload === undefined ? '' : JSON.stringify(ack.payload);
    waiting.get(ack.envelope_id)?.({ kind: 'acked', body: parseAckBody(body) });
  };

  const onConnection = (socket: WebSocket): void => {
    sockets.push(socket);
    socket.on('message', (data) => onMessage(String(data)));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => sockets.splice(sockets.indexOf(socket), 1));
    const hello = {
      type: 'hello',
      num_connections: sockets.length,
      connection_info: { app_id: appId },
      debug_info: { host: 'local-slack', approximate_connection_time: 18_060 },
    };
    socket.send(JSON.stringify(hello));
  };

  return {
    issuePath: () => {
      const ticket = unguessable();
      tickets.add(ticket);
      return `/link?ticket=${ticket}`;
    },
    upgrade: (request, socket, head) => {
      const url = new URL(request.url ?? '/', 'http://local');
      const isKnown = tickets.delete(url.searchParams.get('ticket') ?? '');
      if (url.pathname !== '/link' || !isKnown || sockets.length >= SOCKET_LIMIT) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, onConnection);
    },
    isConnected: () => sockets.length > 0,
    deliver: (kind, payload, retry) =>
      new Promise((resolve) => {
        const socket = sockets.at(-1);
        if (!socket) return resolve({ kind: 'dispatch_failed' });
        const envelopeId = randomUUID();
        const finish = (ack: Ack): void => {
          cancelLimit();
          waiting.delete(envelopeId);
          resolve(ack);
        };
        const cancelLimit = startTimeLimit(ackTimeoutMs, () =>
          finish({ kind: 'operation_timeout' }),
        );
        waiting.set(envelopeId, finish);
        const envelope = { envelope_id: envelopeId, type: kind, payload };
        const isEvent = kind === 'events_api';
        const attempt = { retry_attempt: retry?.num ?? 0, retry_reason: retry?.reason ?? '' };
        const message = { ...envelope, accepts_response_payload: !isEvent };
        socket.send(JSON.stringify(isEvent ? { ...message, ...attempt } : message));
      }),
    dropAll: () => {
      for (const socket of [...sockets]) socket.terminate();
    },
    close: async () => {
      for (const settle of waiting.values()) settle({ kind: 'dispatch_failed' });
      await Promise.all(sockets.map(closeSocket));
      server.close();
    },
  };
};
