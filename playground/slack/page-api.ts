import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, readBody, sendJson } from './http.ts';
import {
  type Gesture,
  type GestureOutcome,
  gestureSchema,
  paths,
  type Snapshot,
} from './protocol.ts';

/** The part of the local Slack that the page uses. */
export type PagePort = {
  hasPerson: (slackUserId: string) => boolean;
  snapshot: (slackUserId: string) => Snapshot;
  subscribe: (listener: () => void) => () => void;
  perform: (slackUserId: string, gesture: Gesture) => Promise<GestureOutcome>;
};

export const isPagePath = (pathname: string): boolean =>
  pathname === paths.snapshots || pathname === paths.gestures;

/** Streams a person's snapshots: one at once, then one per burst of changes. */
const streamSnapshots = (port: PagePort, slackUserId: string, response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let isScheduled = false;
  const write = (): void => {
    isScheduled = false;
    if (!response.destroyed)
      response.write(`data: ${JSON.stringify(port.snapshot(slackUserId))}\n\n`);
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
  slackUserId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  // A cross-origin form can't send JSON without a preflight, and this server answers none.
  if (!request.headers['content-type']?.startsWith('application/json')) {
    return sendJson(response, 415, { error: 'Send the gesture as JSON.' });
  }
  const gesture = gestureSchema.safeParse(parseJson(await readBody(request)));
  if (!gesture.success) return sendJson(response, 400, { error: 'That is not a gesture.' });
  sendJson(response, 200, await port.perform(slackUserId, gesture.data));
};

/** Serves the two paths of protocol.ts. */
export const servePageApi = async (
  port: PagePort,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const slackUserId = url.searchParams.get('as') ?? '';
  if (!port.hasPerson(slackUserId)) {
    return sendJson(response, 404, { error: 'The workspace has no such person.' });
  }
  const wanted = url.pathname === paths.snapshots ? 'GET' : 'POST';
  if (request.method !== wanted) return sendJson(response, 405, { error: `Use ${wanted}.` });
  if (wanted === 'GET') return streamSnapshots(port, slackUserId, response);
  return takeGesture(port, slackUserId, request, response);
};
