import { expect, test } from 'vitest';
import type { ServiceConnection } from '../../../src/dataprotection/connection.ts';
import type { Region } from '../../../src/dataprotection/region.ts';
import { verifySetup } from '../../../src/features/setup/verify-setup.ts';
import type { Connection, Setup } from '../../../src/features/workspaces/workspace.ts';

const regionOf = (id: string): Region => ({
  ...{ id, label: id, portal: `${id}.portal.example`, baseUrl: `https://${id}.api.example` },
  ...{ dialect: 'documented', requestsPerSecond: 50 },
});
const stored = (regionId: string): Connection => ({
  ...{ id: regionId, regionId, organizationalUnitId: undefined, tokenOwner: undefined },
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
  const saved: Setup[] = [];
  let reads = 0;
  const read = () => {
    reads += 1;
    return reads === 1 ? first : later;
  };
  const result = await verifySetup(
    {
      ...{ teamId: 'T1', enterpriseId: undefined, savedBy: 'U1', viewId: 'V1' },
      basedOn: undefined,
      form: {
        ...{ regionId: region, token: undefined, organizationalUnitId: unit },
        ...{
          unitName: undefined,
          tokenOwner: undefined,
          approvers: [],
          approvalsChannelId: undefined,
        },
        ...{ deleteGraceMinutes: '30', usersPerHour: '10' },
      },
    },
    {
      store: {
        describeConnection: async () => {
          const row = read();
          return row === 'unreadable' ? stored('eu') : row;
        },
        openConnection: async () => read(),
        readSettings: async () => ({
          ...{ approvers: [], approvalsChannelId: undefined },
          ...{ deleteGraceMinutes: 30, usersPerHour: 10 },
        }),
        readRevision: async () => 0,
        saveSetup: async (setup) => {
          saved.push(setup);
          return {
            ...{ result: 'saved', voided: [] },
            ...{ approversChange: undefined, approvalsChannelBefore: undefined },
          };
        },
      },
      regions: [regionOf('eu'), regionOf('us')],
      probe: async (connection) => {
        tried.push(connection);
        return { outcome: 'ok', units: [] };
      },
      checkSlack: async () => ({}),
      describeFailure: String,
      clock: () => new Date(0),
      newId: () => 'new',
    },
  );
  return { result, tried, saved };
}

test('a token that another admin saved meanwhile is not sent to the region in the form', async () => {
  const { tried } = await submit('eu', 'another-unit', stored('eu'));
  expect(tried).toMatchObject([{ baseUrl: 'https://eu.api.example', token: 'token-of-eu' }]);
});

test('a form that does not change the connection sends no request', async () => {
  const { tried, saved } = await submit('eu', undefined, stored('eu'));
  expect(tried).toEqual([]);
  expect(saved).toMatchObject([{ connection: undefined }]);
});

test("a stored token that can't be decrypted must be entered again", async () => {
  const { result, saved } = await submit('eu', undefined, 'unreadable');
  expect(result).toEqual({
    result: 'invalid',
    errors: { token: 'Paste an API token made in eu.portal.example.' },
    units: [],
  });
  expect(saved).toEqual([]);
});
