import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from '../call-portal.ts';

describe('a response with a fault in its transmission', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const read = () => callPortal(portal(), '/users/1');
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('arrives slowly and complete', async () => {
    const { text } = await read();
    service.setFault({ kind: 'drip', bytesPerSecond: text.length * 4 });
    const before = performance.now();
    expect((await read()).text).toBe(text);
    expect(performance.now() - before).toBeGreaterThan(150);
  });

  it('stops when the service closes', async () => {
    const other = await startReferenceService({ now: testNow });
    other.setFault({ kind: 'drip', bytesPerSecond: 1 });
    const dripping = callPortal(firstOf(other.portals), '/users').catch((error: Error) => error);
    while (other.requests[0]?.status === undefined) await new Promise(setImmediate);
    await other.close();
    expect(await dripping).toBeInstanceOf(Error);
  });

  it('ends with a reset in the middle, after the request took effect', async () => {
    service.setFault({ kind: 'reset-mid-body' });
    const patch = { method: 'PATCH', json: { is_enabled: false } };
    await expect(callPortal(portal(), '/users/1', patch)).rejects.toThrow();
    expect(service.user(portal().id, '1')?.is_enabled).toBe(false);
  });

  it('is shorter than its content length', async () => {
    service.setFault({ kind: 'wrong-length', by: 10 });
    await expect(read()).rejects.toThrow('aborted');
  });

  it('is longer than its content length', async () => {
    service.setFault({ kind: 'wrong-length', by: -10 });
    await expect(read()).rejects.toThrow();
  });
});
