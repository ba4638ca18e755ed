import { expect, test } from 'vitest';
import type { ServiceConnection } from '../../../src/dataprotection/connection.ts';
import type { Region } from '../../../src/dataprotection/region.ts';
import { verifySetup } from '../../../src/features/setup/verify-setup.ts';
import type { Connection } from '../../../src/workspace/workspace.ts';

const regionOf = (id: string): Region => ({
  id,
  label: id,
  portal: `${id}.portal.example`,
  baseUrl: `https://${id}.api.example`,
  dialect: 'documented',
  requestsPerSecond: 50,
});
const stored = (regionId: string): Connection => ({
  id: regionId,
  regionId,
  organizationalUnitId: undefined,
  tokenOwner: undefined,
  originId: regionId,
  name: 'main',
  isDefault: true,
  isOnly: true,
  token: `token-of-${regionId}`,
});

/** Submits the form without a token. The store returns `first`, and `later` for any further read. */
async function submit(
  region: string,
  unit: string | undefined,
  first: Connection | 'unreadable',
  later: Connection = stored('us'),
) {
  const tried: ServiceConnection[] = [];
  let reads = 0;
  const read = () => {
    reads += 1;
    return reads === 1 ? first : later;
  };
  const result = await verifySetup(
    {
      teamId: 'T1',
      edited: undefined,
      form: {
        regionId: region,
        token: undefined,
        organizationalUnitId: unit,
        unitName: undefined,
        tokenOwner: undefined,
      },
    },
    {
      store: { openConnection: async () => read() },
      regions: [regionOf('eu'), regionOf('us')],
      probe: async (connection) => {
        tried.push(connection);
        return { outcome: 'ok', units: [], tenant: { users: ['a'], units: [] } };
      },
      userExists: async () => true,
    },
  );
  return { result, tried };
}

test('a token that another admin saved meanwhile is not sent to the region in the form', async () => {
  const { tried } = await submit('eu', 'another-unit', stored('eu'));
  expect(tried).toMatchObject([{ baseUrl: 'https://eu.api.example', token: 'token-of-eu' }]);
});

test('a form that does not change the connection sends no request', async () => {
  const { result, tried } = await submit('eu', undefined, stored('eu'));
  expect(tried).toEqual([]);
  expect(result).toMatchObject({ result: 'verified', connection: undefined });
});

test("a stored token that can't be decrypted must be entered again", async () => {
  const { result } = await submit('eu', undefined, 'unreadable');
  expect(result).toEqual({
    result: 'invalid',
    errors: { token: 'Enter an API token from eu.portal.example.' },
    units: [],
  });
});
