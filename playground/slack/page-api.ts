import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson } from '../../src/json.ts';
import { readBody, sendJson } from './http.ts';
import {
  type Gesture,
  type GestureOutcome,
  gestureSchema,
  type Message,
  paths,
  type Snapshot,
  type SnapshotUpdate,
} from './protocol.ts';
import type { Client } from './state.ts';

/** The part of the local Slack that the page uses. */
export type PagePort = {
  hasPerson: (slackUserId: string) => boolean;
  snapshot: (slackUserId: string, tabId: string) => Snapshot;
  subscribe: (listener: () => void) => () => void;
  perform: (slackUserId: string, gesture: Gesture, tabId: string) => Promise<GestureOutcome>;
};

export const isPagePath = (pathname: string): boolean =>
  pathname === paths.snapshots || pathname === paths.gestures;

/**
 * Streams a client's snapshots: one at once, then one per burst of changes. Each carries only the
 * messages that the page does not have, because a long conversation is megabytes of JSON.
 */
const streamSnapshots = (
  port: PagePort,
  { slackUserId, tabId }: Client,
  response: ServerResponse,
): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let isScheduled = false;
  let sent: ReadonlySet<Message> = new Set();
  const write = (): void => {
    isScheduled = false;
    if (response.destroyed) return;
    const { conversations, ...rest } = port.snapshot(slackUserId, tabId);
    const messages = conversations.flatMap((conversation) => conversation.messages);
    const update: SnapshotUpdate = {
      ...rest,
      conversations: conversations.map(({ messages: listed, ...conversation }) => ({
        ...conversation,
        messageTs: listed.map(({ messageTs }) => messageTs),
      })),
      messages: messages.filter((message) => !sent.has(message)),
    };
    sent = new Set(messages);
    response.write(`data: ${JSON.stringify(update)}\n\n`);
  };
  const unsubscribe = port.subscribe(() => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(write);
  });
  response.on('close', unsubscribe);
  write();
};

const takeGesture = async (
  port: PagePort,
  { slackUserId, tabId }: Client,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  // A cross-origin form can't send JSON without a preflight, and this server answers none.
  if (!request.headers['content-type']?.startsWith('application/json')) {
    return sendJson(response, 415, { error: 'Send the gesture as JSON.' });
  }
  const gesture = gestureSchema.safeParse(parseJson(await readBody(request)));
  if (!gesture.success) return sendJson(response, 400, { error: 'The gesture is invalid.' });
  sendJson(response, 200, await port.perform(slackUserId, gesture.data, tabId));
};

/** Serves the two paths of protocol.ts. */
export const servePageApi = async (
  port: PagePort,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const client = {
    slackUserId: url.searchParams.get('as') ?? '',
    tabId: url.searchParams.get('tab') ?? '',
  };
  if (!port.hasPerson(client.slackUserId)) {
    return sendJson(response, 404, { error: 'Person not found.' });
  }
  const wanted = url.pathname === paths.snapshots ? 'GET' : 'POST';
  if (request.method !== wanted) return sendJson(response, 405, { error: `Use ${wanted}.` });
  if (wanted === 'GET') return streamSnapshots(port, client, response);
  return takeGesture(port, client, request, response);
};
