import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, readBody, sendJson } from '../slack/http.ts';
import { type AlertAnswer, type AlertChange, alertChangeSchema, alertsPath } from './protocol.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const known = '{"change":"raise","count":1 to 100}, {"change":"raise-again"} or {"change":"clear"}';

/** Serves the path of protocol.ts, and passes everything else to the page. */
export function serveControls(page: Serve, change: (wanted: AlertChange) => AlertAnswer): Serve {
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname !== alertsPath) return page(request, response);
    const refuse = (status: number, error: string) => sendJson(response, status, { error });

    if (request.method !== 'POST') return refuse(405, 'Use POST.');
    // A cross-origin form can't send JSON without a preflight, and this server answers none.
    if (!request.headers['content-type']?.startsWith('application/json')) {
      return refuse(415, 'Send the change as JSON.');
    }
    const wanted = alertChangeSchema.safeParse(parseJson(await readBody(request)));
    if (!wanted.success) return refuse(400, `Send ${known}.`);
    sendJson(response, 200, change(wanted.data));
  };
}
