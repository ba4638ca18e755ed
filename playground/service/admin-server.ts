import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { ActiveFaults } from './faults/active-faults.ts';
import { faultMatchSchema, faultSchema } from './faults/fault.ts';
import { type ListeningServer, listen } from './http/listen.ts';
import { parseBody, readBody } from './http/read-body.ts';
import { json, refuse, refuseInvalid, type ServiceResponse, send } from './http/response.ts';
import type { ReceivedRequest } from './portal/portal-server.ts';
import { type TaskTimings, taskTimingsSchema } from './tasks.ts';

export type AdminParts = {
  faults: ActiveFaults;
  requests: ReceivedRequest[];
  setTaskTimings: (timings: TaskTimings) => void;
  reset: () => void;
};

type Endpoint = (body: unknown, parts: AdminParts) => ServiceResponse;

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
  'PUT /task-timings': (body, { setTaskTimings }) => {
    const timings = taskTimingsSchema.safeParse(body);
    if (!timings.success) return refuseInvalid(timings.error);
    setTaskTimings(timings.data);
    return json(200, timings.data);
  },
  'POST /reset': (_body, { reset }) => {
    reset();
    return json(200, {});
  },
};

/**
 * The admin endpoints, which set faults and read the request log: a separate origin on the
 * loopback.
 */
export async function startAdminServer(parts: AdminParts): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    answer(request, parts).then(
      (reply) => send(response, reply),
      () => response.destroy(),
    );
  });
  return await listen(server, 0);
}

async function answer(request: IncomingMessage, parts: AdminParts): Promise<ServiceResponse> {
  const received = await readBody(request);
  const { method = '', url = '', headers } = request;
  // Web pages opened on this machine can reach the port too and must not use it.
  if (headers.origin !== undefined) return refuse(403, 'Not from a web page.');

  const name = `${method} ${url}`;
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (!endpoint) return refuse(404, `There are ${Object.keys(endpoints).join(', ')}.`);
  if (received.text === '') return endpoint(undefined, parts);
  const body = parseBody(headers, received);
  return body.ok ? endpoint(body.value, parts) : body.refusal;
}
