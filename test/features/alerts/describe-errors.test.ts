import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { describeErrors } from '../../../src/features/alerts/describe-errors.ts';
import { message } from '../../../src/slack/ui/blocks.ts';
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
  const { text } = message([
    await describeErrors({ service: async () => serviceWith(client) }, systemClock()),
  ]);
  expect(text).not.toContain('At least 0');
  expect(text).toContain('No active errors found so far');
});
