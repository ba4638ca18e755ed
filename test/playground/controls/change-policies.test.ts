import { expect, onTestFinished, test } from 'vitest';
import { createPolicyChanger } from '../../../playground/controls/change-policies.ts';
import { startReferenceService } from '../../../playground/service/start-service.ts';
import { firstOf } from '../service/call-portal.ts';

test('three policies in turn keep backups half as long, then as long as before', async () => {
  const service = await startReferenceService();
  onTestFinished(() => service.close());
  const portal = firstOf(service.portals);
  const before = service.policies(portal.id);
  const retention = (name: string) => {
    const policy = service.policies(portal.id).find((one) => one.name === name);
    return policy?.sla_sets[0]?.slas[0]?.retention_duration.value ?? 0;
  };
  const silver = retention('Silver');
  const change = createPolicyChanger({ service, portal });

  expect(change({ change: 'retention' })).toEqual({
    said: `Changed Silver: keeps backups ${silver} days → ${Math.floor(silver / 2)} days.`,
  });
  expect(retention('Silver')).toBe(Math.floor(silver / 2));
  change({ change: 'retention' });
  change({ change: 'retention' });
  const changed = service.policies(portal.id).filter((one, at) => {
    return JSON.stringify(one) !== JSON.stringify(before[at]);
  });
  expect(changed.map(({ name }) => name)).toEqual(['Gold', 'Silver', 'Finance ledgers']);

  for (let time = 0; time < 3; time += 1) change({ change: 'retention' });
  expect(service.policies(portal.id)).toEqual(before);
});
