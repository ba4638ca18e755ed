import { expect, it } from 'vitest';
import { ServerError, ServiceTimeoutError } from '../../src/dataprotection/http/errors.ts';
import { probeConnection } from '../../src/dataprotection/probe-connection.ts';
import { serve } from '../support/serve.ts';
import { errorOf, openTransport, requestsPerSecond } from './local-server.ts';
import { openReference } from './reference-service.ts';

const given = { dialect: 'documented', requestsPerSecond } as const;
const isFine = { outcome: 'ok', units: [] };
const isRefused = { outcome: 'unit-refused', units: [] };

it('accepts a token, with and without a unit', async () => {
  const { portal } = await openReference();
  const { baseUrl, token, organizationalUnits } = portal;
  const transport = openTransport();
  expect(await probeConnection({ baseUrl, ...given, token }, transport)).toMatchObject(isFine);
  for (const { id } of organizationalUnits) {
    const connection = { baseUrl, ...given, token, organizationalUnitId: id };
    expect(await probeConnection(connection, transport)).toMatchObject(isFine);
  }
});

it('rejects the token of another portal without a request to that portal', async () => {
  const { service, portal } = await openReference();
  const token = service.portals[1]?.token ?? '';
  const transport = openTransport();
  const connection = { baseUrl: portal.baseUrl, ...given, token, organizationalUnitId: 'any' };
  expect(await probeConnection(connection, transport)).toEqual({ outcome: 'token-refused' });
  expect(service.requests.map(({ portalId }) => portalId)).toEqual([portal.id]);
});

it.each(['unknown', 'un\nsendable', ''])(
  'distinguishes the refused unit %j from a refused token',
  async (unit) => {
    const { portal } = await openReference();
    const { baseUrl, token } = portal;
    const connection = { baseUrl, ...given, token, organizationalUnitId: unit };
    const transport = openTransport();
    expect(await probeConnection(connection, transport)).toEqual(isRefused);
  },
);

it('reports a unit that this token has no access to', async () => {
  const { portal } = await openReference();
  const { baseUrl, restrictedToken: token, organizationalUnits } = portal;
  const unit = organizationalUnits.find(({ isDefault }) => !isDefault);
  const connection = { baseUrl, ...given, token, organizationalUnitId: unit?.id };
  const transport = openTransport();
  expect(await probeConnection(connection, transport)).toEqual(isRefused);
});

it.each([undefined, 'unit'])(
  'reports the token if everything is forbidden, unit %j',
  async (unit) => {
    const baseUrl = await serve((_request, response) => response.writeHead(403).end());
    const connection = { baseUrl, ...given, token: 'a.b.c', organizationalUnitId: unit };
    const transport = openTransport();
    expect(await probeConnection(connection, transport)).toEqual({ outcome: 'token-refused' });
  },
);

it('returns any other failure', async () => {
  const { service, portal } = await openReference();
  const { baseUrl, token } = portal;
  const transport = openTransport();
  service.setFault({ kind: 'status', status: 503 });
  const failing = await probeConnection({ baseUrl, ...given, token }, transport);
  expect(failing).toEqual({ outcome: 'failed', error: expect.any(ServerError) });

  service.setFault({ kind: 'hang' });
  const signal = AbortSignal.timeout(30);
  const silent = await probeConnection({ baseUrl, ...given, token }, transport, { signal });
  expect(silent).toEqual({ outcome: 'failed', error: expect.any(ServiceTimeoutError) });
  const left = probeConnection({ baseUrl, ...given, token }, transport, {
    signal: AbortSignal.abort('left'),
  });
  expect(await errorOf(left)).toBe('left');
});
