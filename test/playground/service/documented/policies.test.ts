import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, listPortal, messageOf, testNow } from '../call-portal.ts';

const path = '/policies/definitions';

const body = {
  name: 'Nightly',
  sla_sets: [
    {
      operation: 'vmware_vm_backup',
      seed_setting: 'immediate',
      slas: [
        {
          rpo_frequency: { units: 'day', value: 1 },
          retention_duration: { units: 'year', value: 1 },
        },
      ],
    },
  ],
};

describe('policy definitions', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const gold = () => firstOf(service.policies(portal().id));
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('creates one with a new id', async () => {
    const reply = await callPortal(portal(), path, { method: 'POST', json: body });
    expect(reply.status).toBe(200);
    const { id } = z.looseObject({ id: z.uuid() }).parse(reply.json);
    expect(reply.json).toMatchObject(body);
    expect(service.policies(portal().id)).toContainEqual({ id, ...body });
  });

  it('replaces one completely, with the same id and position', async () => {
    const { id } = gold();
    const reply = await callPortal(portal(), `${path}/${id}`, { method: 'PUT', json: body });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ id, ...body });
    expect(gold()).toEqual({ id, ...body });
  });

  it.each([
    { json: { name: 'Nightly' }, names: 'sla_sets' },
    { json: { sla_sets: body.sla_sets }, names: 'name' },
    { json: { ...body, sla_sets: [] }, names: 'sla_sets' },
    { json: { ...body, sla_sets: [{ operation: 'x', slas: [] }] }, names: 'seed_setting' },
    { json: { ...body, seed_setting: 'immediate' }, names: 'seed_setting' },
    { json: { ...body, id: 'mine' }, names: 'id' },
    { json: {}, names: 'name' },
  ])('rejects $json and changes nothing', async ({ json, names }) => {
    const before = service.policies(portal().id);
    for (const [method, target] of [
      ['POST', path],
      ['PUT', `${path}/${gold().id}`],
    ] as const) {
      const reply = await callPortal(portal(), target, { method, json });
      expect(reply.status).toBe(400);
      expect(messageOf(reply)).toContain(names);
    }
    expect(service.policies(portal().id)).toEqual(before);
  });

  it('responds 404 for an unknown id', async () => {
    const unknown = `${path}/${globalThis.crypto.randomUUID()}`;
    const reply = await callPortal(portal(), unknown, { method: 'PUT', json: body });
    expect(reply.status).toBe(404);
  });

  it('has links to existing endpoints', async () => {
    const page = await listPortal(portal(), path);
    const { _links } = firstOf(page._embedded.items);
    expect(_links['update-policy-definition']).toMatchObject({ type: 'put' });
    const statistics = _links['read-policy-aws-ebs-volumes-compliance-stats']?.href ?? '';
    expect((await callPortal(portal(), statistics)).status).toBe(200);
  });

  it('has policies with several SLA sets of different operations', () => {
    const several = service.policies(portal().id).filter(({ sla_sets }) => sla_sets.length > 1);
    expect(several.length).toBeGreaterThan(2);
    for (const { sla_sets } of several) {
      expect(new Set(sla_sets.map(({ operation }) => operation)).size).toBe(sla_sets.length);
    }
  });
});

describe('a service that lists no policies', () => {
  it('responds 404 for the list, but can create policies', async () => {
    const service = await startReferenceService({ now: testNow, listsPolicies: false });
    try {
      const portal = firstOf(service.portals);
      expect((await callPortal(portal, path)).status).toBe(404);
      const created = await callPortal(portal, path, { method: 'POST', json: body });
      expect(created.status).toBe(200);
    } finally {
      await service.close();
    }
  });
});
