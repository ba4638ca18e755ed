import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { FaultBoard } from './faults/active-faults.ts';
import { faultMatchSchema, faultSchema } from './faults/fault.ts';
import { type ListeningServer, listen } from './http/listen.ts';
import { parseBody, readBody } from './http/read-body.ts';
import { type Answer, json, refuse, refuseInvalid, send } from './http/response.ts';
import type { ReceivedRequest } from './portal/portal-server.ts';
import { type TaskTimings, taskPaceSchema } from './tasks.ts';

export type AdminParts = {
  faults: FaultBoard;
  requests: ReceivedRequest[];
  setTaskTimings: (pace: TaskTimings) => void;
  reset: () => void;
};

type Endpoint = (body: unknown, parts: AdminParts) => Answer;

const postedFault = z.strictObject({ fault: faultSchema, match: faultMatchSchema.optional() });

const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /faults': (_body, { faults }) => json(200, { faults: faults.posted() }),
  'POST /faults': (body, { faults }) => {
    const posted = postedFault.safeParse(body);
    if (!posted.success) return refuseInvalid(posted.error);
    faults.add(posted.data.fault, posted.data.match);
    return json(201, { faults: faults.posted() });
  },
  'DELETE /faults': (_body, { faults }) => {
    faults.set(undefined);
    return json(200, { faults: [] });
  },
  'GET /requests': (_body, { requests }) => json(200, { requests }),
  'DELETE /requests': (_body, { requests }) => {
    requests.length = 0;
    return json(200, { requests });
  },
  'PUT /task-pace': (body, { setTaskTimings }) => {
    const pace = taskPaceSchema.safeParse(body);
    if (!pace.success) return refuseInvalid(pace.error);
    setTaskTimings(pace.data);
    return json(200, pace.data);
  },
  'POST /reset': (_body, { reset }) => {
    reset();
    return json(200, {});
  },
};

/** Where a person or a script makes the service misbehave: an origin of its own, loopback only. */
export async function startAdminServer(parts: AdminParts): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    answer(request, parts).then(
      (reply) => send(response, reply),
      () => response.destroy(),
    );
  });
  return await listen(server, 0);
}

async function answer(request: IncomingMessage, parts: AdminParts): Promise<Answer> {
  const received = await readBody(request);
  const { method = '', url = '', headers } = request;
  // Pages in a browser on this machine can reach the port too, and have no business here.
  if (headers.origin !== undefined) return refuse(403, 'Not from a web page.');

  const name = `${method} ${url}`;
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (!endpoint) return refuse(404, `There are ${Object.keys(endpoints).join(', ')}.`);
  if (received.text === '') return endpoint(undefined, parts);
  const body = parseBody(headers, received);
  return body.ok ? endpoint(body.value, parts) : body.refusal;
}
