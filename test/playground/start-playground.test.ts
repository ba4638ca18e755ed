import { expect, it } from 'vitest';
import { startWorld } from '../support/world.ts';

it.each(['documented', 'live'] as const)(
  'connects Belay to the service in the %s form',
  async (form) => {
    const { service, ana } = await startWorld({ form });
    expect(service.form).toBe(form);
    await ana.send('ops', '/belay users silva');
    await ana.seeMessage('Ana Silva');
    const { headers } = service.requests.find(({ path }) => path.startsWith('/users')) ?? {};
    const vendor = { documented: 'api.service.', live: 'api.clumio.' }[form];
    expect(headers?.accept).toContain(vendor);
  },
);
