import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from './call-portal.ts';

describe('compliance statistics', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  afterAll(() => service.close());

  async function statisticsOf(name: string) {
    const policy = service.policies(portal().id).find((one) => one.name === name);
    const href = `/policies/definitions/${policy?.id}/stats/compliance/aws/ebs-volumes`;
    return { href, ...(await callPortal(portal(), href)) };
  }

  it('counts the volumes of a policy that covers them', async () => {
    const { json, href } = await statisticsOf('Gold');
    expect(json).toEqual({
      compliant_count: expect.any(Number),
      non_compliant_count: expect.any(Number),
      deactivated_count: expect.any(Number),
      protected_count: expect.any(Number),
      unprotected_count: expect.any(Number),
      has_seeding_entities: expect.any(Boolean),
      _links: { _self: { href, type: 'get', templated: false } },
    });
  });

  it('responds with zeros for a policy that covers none', async () => {
    const { status, json } = await statisticsOf('Mailboxes');
    expect(status).toBe(200);
    expect(json).toMatchObject({ compliant_count: 0, protected_count: 0 });
  });

  it('omits fields for one policy', async () => {
    const { json } = await statisticsOf('Build machines');
    expect(json).toHaveProperty('compliant_count');
    expect(json).not.toHaveProperty('non_compliant_count');
  });

  it('responds 404 for an unknown policy', async () => {
    expect((await statisticsOf('No such policy')).status).toBe(404);
  });
});
