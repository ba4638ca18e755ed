import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from '../call-portal.ts';

describe('responses of faults', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const read = () => callPortal(portal(), '/users/1');
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it.each([
    { body: 'json', type: 'application/json', text: /^\{"errors":\[\{"error_code":1503/ },
    { body: 'string-code', type: 'application/json', text: /"error_code":"E503"/ },
    { body: 'html', type: 'text/html; charset=utf-8', text: /<h1>/ },
    { body: 'empty', type: 'application/json', text: /^$/ },
    { body: 'wrong-type', type: 'text/plain', text: /^\{"errors"/ },
  ] as const)('have a status and a body that is $body', async ({ body, type, text }) => {
    service.setFault({ kind: 'status', status: 503, body });
    const reply = await read();
    expect(reply).toMatchObject({ status: 503, headers: { 'content-type': type } });
    expect(reply.text).toMatch(text);
  });

  it('can be truncated JSON', async () => {
    for (const fault of [
      { kind: 'status', status: 500, body: 'cut-off' },
      { kind: 'cut-off' },
    ] as const) {
      service.setFault(fault);
      await expect(read()).rejects.toThrow(SyntaxError);
    }
  });

  it('can be meaningless bytes, or empty', async () => {
    service.setFault({ kind: 'garbage' });
    await expect(read()).rejects.toThrow(SyntaxError);
    service.setFault({ kind: 'empty' });
    expect(await read()).toMatchObject({ status: 200, text: '' });
  });

  it('can be correct except for the content type', async () => {
    service.setFault({ kind: 'wrong-type' });
    const reply = await read();
    expect(reply.headers['content-type']).toBe('text/plain');
    expect(JSON.parse(reply.text)).toMatchObject({ id: '1' });
  });

  it('can redirect to another origin', async () => {
    service.setFault({ kind: 'redirect', location: 'https://elsewhere.example/users/1' });
    const reply = await read();
    expect(reply).toMatchObject({
      status: 307,
      headers: { location: 'https://elsewhere.example/users/1' },
    });
  });

  it('are determined by the oldest matching fault', async () => {
    service.addFault({ kind: 'status', status: 500 }, { pathPrefix: '/users', times: 1 });
    service.addFault({ kind: 'status', status: 502 });
    expect((await callPortal(portal(), '/alerts/individual')).status).toBe(502);
    expect((await read()).status).toBe(500);
    expect((await read()).status).toBe(502);
    service.setFault(undefined);
    expect((await read()).status).toBe(200);
  });
});
