import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import type { Approval } from '../../../../src/features/approvals/approval.ts';
import type { ConnectionTarget } from '../../../../src/features/workspaces/index.ts';
import { openStores } from '../../../../src/open-stores.ts';
import { databases } from '../../../support/databases.ts';
import { logKeys, newSetup, pendingRequest } from '../../approvals/store/rows.ts';

describe.each(databases())('what is on connections that change, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** A workspace with the connection `main`. */
  async function setUp() {
    const published: Approval[] = [];
    const { workspaceStore, approvalStore } = openStores(database.db, {
      encryptionKeys: logKeys,
      isServed: serveAll,
      enqueueJobs: async (_, approval) => void published.push(approval),
    });
    const setup = newSetup();
    await workspaceStore.saveSetup(setup);
    const { teamId } = setup;
    const main = setup.connection?.id ?? '';
    const change = (target: ConnectionTarget) =>
      workspaceStore.saveSetup(newSetup({ teamId, connection: undefined, target }));
    const addEurope = async () => {
      const { connection } = newSetup();
      const originId = connection?.id ?? '';
      const target = { kind: 'add' as const, originId, name: 'europe' };
      await workspaceStore.saveSetup(newSetup({ teamId, connection, target }));
      return originId;
    };
    return { teamId, main, approvalStore, published, change, addEurope };
  }

  it('a pending request is published with the name that its connection has now', async () => {
    const { teamId, main, approvalStore, published, change, addEurope } = await setUp();
    const { id } = await pendingRequest(database.db, approvalStore, { teamId, connectionId: main });
    const shown = () => published.filter((one) => one.id === id).at(-1)?.connectionName;
    expect(shown()).toBeUndefined();
    const europe = await addEurope();
    expect(shown()).toBe('main');
    // Another connection takes the name that the request shows.
    await change({ kind: 'edit', originId: main, name: 'west', nameBefore: 'main' });
    await change({ kind: 'edit', originId: europe, name: 'main', nameBefore: 'europe' });
    expect(shown()).toBe('west');
    const count = published.length;
    await change({ kind: 'make_default', originId: europe, name: 'main', nameBefore: 'west' });
    expect(published).toHaveLength(count);
  });
});
