import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { type ListeningServer, listen } from '../listen.ts';
import type { ActiveFaults } from './faults/active-faults.ts';
import { faultMatchSchema, faultSchema } from './faults/fault.ts';
import { parseBody, readBody } from './http/read-body.ts';
import { errorResponse, invalidBody, json, type ServiceResponse, send } from './http/response.ts';
import type { ReceivedRequest } from './portal/portal-server.ts';
import { type TaskTimings, taskTimingsSchema } from './tasks.ts';

type AdminParts = {
  faults: ActiveFaults;
  requests: ReceivedRequest[];
  setTaskTimings: (timings: TaskTimings) => void;
  reset: () => void;
};

type Endpoint = (body: unknown, parts: AdminParts) => ServiceResponse;

const newFault = z.strictObject({ fault: faultSchema, match: faultMatchSchema.optional() });

const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /faults': (_body, { faults }) => json(200, { faults: faults.list() }),
  'POST /faults': (body, { faults }) => {
    const parsed = newFault.safeParse(body);
    if (!parsed.success) return invalidBody(parsed.error);
    faults.add(parsed.data.fault, parsed.data.match);
    return json(201, { faults: faults.list() });
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
    if (!timings.success) return invalidBody(timings.error);
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
    handle(request, parts).then(
      (reply) => send(response, reply),
      () => response.destroy(),
    );
  });
  return await listen(server, 0);
}

async function handle(request: IncomingMessage, parts: AdminParts): Promise<ServiceResponse> {
  const received = await readBody(request);
  const { method = '', url = '', headers } = request;
  // Web pages opened on this machine can reach the port too and must not use it.
  if (headers.origin !== undefined) return errorResponse(403, 'Not from a web page.');

  const name = `${method} ${url}`;
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (!endpoint) return errorResponse(404, `There are ${Object.keys(endpoints).join(', ')}.`);
  if (received.text === '') return endpoint(undefined, parts);
  const body = parseBody(headers, received);
  return body.ok ? endpoint(body.value, parts) : body.rejection;
}
