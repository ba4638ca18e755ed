import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { openStores } from '../../../src/open-stores.ts';
import type { ConnectionTarget } from '../../../src/workspace/workspace.ts';
import { logKeys, newSetup, pendingRequest } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

describe.each(databases())('what is on connections that change, on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** A workspace with the connection `main`. */
  async function setUp() {
    const { workspaceStore, approvalStore } = openStores(database.db, {
      encryptionKeys: logKeys,
      isServed: serveAll,
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
    return { teamId, main, approvalStore, change, addEurope };
  }

  it('a pending request is published with the name that its connection has now', async () => {
    const { teamId, main, approvalStore, change, addEurope } = await setUp();
    const { id } = await pendingRequest(database.db, approvalStore, { teamId, connectionId: main });
    const read = () => approvalStore.find({ teamId, id });
    const shown = async () => (await read())?.connectionName;
    expect(await shown()).toBeUndefined();
    const europe = await addEurope();
    expect(await shown()).toBe('main');
    // Another connection takes the name that the request shows.
    await change({ kind: 'edit', originId: main, name: 'west', nameBefore: 'main' });
    await change({ kind: 'edit', originId: europe, name: 'main', nameBefore: 'europe' });
    expect(await shown()).toBe('west');
    const before = await read();
    await change({ kind: 'make_default', originId: europe, name: 'main', nameBefore: 'west' });
    expect((await read())?.version).toBe(before?.version);
  });
});
