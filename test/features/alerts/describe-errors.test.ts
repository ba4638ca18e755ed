import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { describeErrors } from '../../../src/features/alerts/describe-errors.ts';
import { openReference, serviceWith } from '../../dataprotection/reference-service.ts';

it('does not count "at least 0" errors when it could not read to the end', async () => {
  const { client, service, portal } = await openReference();
  for (const alert of service.alerts(portal.id)) {
    service.putAlert(portal.id, { ...alert, severity: 'warning' });
  }
  service.setFault(
    { kind: 'hang' },
    { pathPrefix: '/alerts/individual?sort=updated_timestamp&start=541' },
  );
  const described = await describeErrors(
    { service: async () => serviceWith(client) },
    { clock: systemClock },
  );
  expect(described).not.toContain('At least 0');
  expect(described).toContain('No active errors found so far');
});
