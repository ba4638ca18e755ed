import { expect, it } from 'vitest';
import { startWorld } from '../support/world.ts';

it.each(['documented', 'live'] as const)(
  'connects Belay to the service in the %s dialect',
  async (dialect) => {
    const { service, ana } = await startWorld({ dialect });
    expect(service.dialect).toBe(dialect);
    await ana.send('ops', '/belay users silva');
    await ana.seeMessage('Ana Silva');
    const { headers } = service.requests.find(({ path }) => path.startsWith('/users')) ?? {};
    const vendor = { documented: 'api.service.', live: 'api.clumio.' }[dialect];
    expect(headers?.accept).toContain(vendor);
  },
);
