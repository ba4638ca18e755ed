import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { parseJson } from '../../src/json.ts';
import { readBody, sendJson } from '../slack/http.ts';
import {
  type AlertChange,
  alertChangeSchema,
  alertsPath,
  type ClockChange,
  type ControlAnswer,
  clockChangeSchema,
  clockPath,
  type PolicyChange,
  policiesPath,
  policyChangeSchema,
} from './protocol.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export type Controls = {
  changeAlerts: (change: AlertChange) => ControlAnswer;
  changePolicies: (change: PolicyChange) => ControlAnswer;
  /** Undefined without a clock that can be moved. */
  moveClock?: ((change: ClockChange) => ControlAnswer) | undefined;
};

type Control = { known: string; change: (body: unknown) => ControlAnswer | undefined };

/** Serves the paths of protocol.ts, and passes everything else to the page. */
export function serveControls(
  page: Serve,
  { changeAlerts, changePolicies, moveClock }: Controls,
): Serve {
  const controls = new Map<string, Control>([
    [
      alertsPath,
      {
        known:
          '{"change":"raise","count":1 to 100}, {"change":"raise-again"} or {"change":"clear"}',
        change: parsed(alertChangeSchema, changeAlerts),
      },
    ],
    [
      policiesPath,
      { known: '{"change":"retention"}', change: parsed(policyChangeSchema, changePolicies) },
    ],
  ]);
  if (moveClock) {
    controls.set(clockPath, {
      known: '{"forward":"hour"} or {"forward":"day"}',
      change: parsed(clockChangeSchema, moveClock),
    });
  }
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const control = controls.get(pathname);
    if (!control) return page(request, response);
    const refuse = (status: number, error: string) => sendJson(response, status, { error });

    if (request.method !== 'POST') return refuse(405, 'Use POST.');
    // A cross-origin form can't send JSON without a preflight, and this server answers none.
    if (!request.headers['content-type']?.startsWith('application/json')) {
      return refuse(415, 'Send the change as JSON.');
    }
    const answer = control.change(parseJson(await readBody(request)));
    if (!answer) return refuse(400, `Send ${control.known}.`);
    sendJson(response, 200, answer);
  };
}

/** Undefined for anything else than the schema describes. */
function parsed<Change>(schema: z.ZodType<Change>, change: (wanted: Change) => ControlAnswer) {
  return (body: unknown): ControlAnswer | undefined => {
    const wanted = schema.safeParse(body);
    return wanted.success ? change(wanted.data) : undefined;
  };
}
