import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import {
  createPolicyCatalog,
  type NewKnownPolicies,
  type PolicyCatalog,
} from '../../../../src/features/policies/store/policy-catalog.ts';
import { insertConnection, newTeamId, noon, onePm } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

describe.each(databases())('the catalog of policies on $name', ({ open }) => {
  let database: OpenDatabase;
  let catalog: PolicyCatalog;
  let connection: { teamId: string; connectionId: string };
  beforeAll(async () => {
    database = await open();
    catalog = createPolicyCatalog(database.db);
  });
  beforeEach(async () => {
    const teamId = newTeamId();
    connection = { teamId, connectionId: await insertConnection(database.db, teamId) };
  });
  afterAll(() => database.close());

  const remember = (
    policies: NewKnownPolicies['policies'],
    source: NewKnownPolicies['source'] = 'alert',
  ) => catalog.remember({ ...connection, policies, source, at: noon });
  const remove = (policyId: string) => catalog.remove({ ...connection, policyId, at: onePm });

  it('lists each policy once, under its newest name', async () => {
    await remember([{ id: 'p-1', name: 'Gold' }, { id: 'p-1', name: 'Gold' }, { id: 'p-2' }]);
    await remember([{ id: 'p-1' }, { id: 'p-2', name: 'Silver' }], 'created');
    await remember([{ id: 'p-1', name: 'Gold plus' }]);
    expect(await catalog.list(connection)).toEqual([
      { id: 'p-1', name: 'Gold plus', source: 'alert' },
      { id: 'p-2', name: 'Silver', source: 'alert' },
    ]);
    const teamId = newTeamId();
    const other = { teamId, connectionId: await insertConnection(database.db, teamId) };
    expect(await catalog.list(other)).toEqual([]);
  });

  it('lists a policy without a name under its id', async () => {
    await remember([{ id: 'p-1', name: ' ' }]);
    expect(await catalog.list(connection)).toEqual([{ id: 'p-1', name: 'p-1', source: 'alert' }]);
  });

  it('keeps a policy removed until a person or a change adds it again', async () => {
    await remember([{ id: 'p-1', name: 'Gold' }]);
    expect([await remove('p-1'), await remove('p-1')]).toEqual([true, false]);
    await remember([{ id: 'p-1', name: 'Gold plus' }]);
    expect(await catalog.list(connection)).toEqual([]);
    await remember([{ id: 'p-1' }], 'person');
    expect(await catalog.list(connection)).toMatchObject([{ id: 'p-1', name: 'Gold' }]);
  });

  it('leaves out what can be neither stored nor put into a button', async () => {
    await remember([
      ...[{ id: '' }, { id: 'x'.repeat(301) }, { id: 'nul\0' }],
      { id: '<!channel>', name: `nul\0 \ud800 ${'x'.repeat(600)}` },
    ]);
    const [only, ...others] = await catalog.list(connection);
    expect(others).toEqual([]);
    expect(only?.id).toBe('<!channel>');
    expect(only?.name).toMatch(/^nul\uFFFD \uFFFD x{490,}…$/);
  });

  it('ends at 1,000 policies of a connection', async () => {
    const policies = Array.from({ length: 1200 }, (_, index) => ({ id: `p-${index}` }));
    await remember(policies.slice(0, 700));
    await remember(policies);
    await remember([{ id: 'one more' }], 'person');
    await remember([{ id: 'p-7', name: 'Gold' }]);
    const listed = await catalog.list(connection);
    expect(listed).toHaveLength(1000);
    expect(listed).toContainEqual({ id: 'p-7', name: 'Gold', source: 'alert' });
  });
});
