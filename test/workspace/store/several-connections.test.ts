import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createTransport } from '../../../src/dataprotection/client.ts';
import { createVoidWaiting } from '../../../src/requests/store/void-waiting.ts';
import { createOpenContext } from '../../../src/workspace/call.ts';
import { createOpenService, createServiceOf } from '../../../src/workspace/open-service.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import {
  createWorkspaceStore,
  type WorkspaceStore,
} from '../../../src/workspace/store/workspace-store.ts';
import {
  logKeys,
  newSetup,
  noon,
  onePm,
  openApprovalStore,
  pendingRequest,
} from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

const regions = [
  {
    id: 'eu',
    label: 'Europe',
    portal: 'https://eu.example.com',
    baseUrl: 'https://eu.example.com',
    dialect: 'documented' as const,
    requestsPerSecond: 50,
  },
];

describe.each(databases())('several connections on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: WorkspaceStore;
  const cipher = createTokenCipher([randomBytes(32)]);
  const transport = createTransport();
  beforeAll(async () => {
    database = await open();
    const append = createAppendEntry(logKeys);
    const hooks = { append, onChanged: async () => undefined, onEnded: async () => undefined };
    store = createWorkspaceStore(database.db, cipher, {
      append,
      isServed: serveAll,
      onConnectionReplaced: createVoidWaiting(hooks),
      onConnectionRemoved: async () => undefined,
      onSetupSaved: async () => [],
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
    });
  });
  afterAll(async () => {
    await transport.dispatcher.close();
    await database.close();
  });

  /** A workspace with the default connection `main` and another, `Europe`. */
  async function setUpTwo() {
    const setup = newSetup();
    await store.saveSetup(setup);
    const { teamId } = setup;
    const europe = randomUUID();
    await database.db
      .insertInto('connection')
      .values({
        id: europe,
        team_id: teamId,
        region_id: 'eu',
        saved_by: 'U_ADMIN',
        saved_at: noon,
        name: 'Europe',
        is_default: false,
        origin_id: europe,
        token_sealed: cipher.seal('token-of-europe', { teamId, connectionId: europe }),
      })
      .execute();
    return { teamId, main: setup.connection?.id ?? '', europe };
  }

  it('opens the default connection, one by its origin, and one exactly', async () => {
    const { teamId, main, europe } = await setUpTwo();
    const openService = createOpenService(store, createServiceOf({ regions, transport }));
    expect(await openService(teamId)).toMatchObject({
      connectionId: main,
      originId: main,
      connectionName: 'main',
    });
    expect(await openService(teamId, { originId: undefined })).toMatchObject({ originId: main });
    const opened = { connectionId: europe, originId: europe, connectionName: 'Europe' };
    expect(await openService(teamId, { originId: europe })).toMatchObject(opened);
    expect(await openService(teamId, { connectionId: europe })).toMatchObject(opened);
    const other = await setUpTwo();
    expect(await openService(teamId, { originId: other.europe })).toBeUndefined();
    expect(await openService(teamId, { connectionId: other.europe })).toBeUndefined();
  });

  it('opens a replaced connection by its origin only, under the same name', async () => {
    const { teamId, main, europe } = await setUpTwo();
    const openService = createOpenService(store, createServiceOf({ regions, transport }));
    const { store: approvals } = openApprovalStore(database.db);
    const [onMain, onEurope] = [
      await pendingRequest(database.db, approvals, { teamId, connectionId: main }),
      await pendingRequest(database.db, approvals, { teamId, connectionId: europe }),
    ];
    const replacing = newSetup({ teamId, at: onePm });
    const saved = await store.saveSetup(replacing);
    expect(saved).toMatchObject({ voided: [{ teamId, id: onMain.id }] });
    expect(await approvals.find(onEurope)).toMatchObject({ state: 'pending' });
    expect(await openService(teamId, { connectionId: main })).toBeUndefined();
    expect(await openService(teamId, { originId: main })).toMatchObject({
      connectionId: replacing.connection?.id,
      originId: main,
      connectionName: 'main',
    });
  });

  it('does not name the only connection', async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    const service = await createOpenService(
      store,
      createServiceOf({ regions, transport }),
    )(setup.teamId);
    expect(service?.connectionName).toBeUndefined();
    const serviceOf = createServiceOf({ regions, transport });
    const open = createOpenContext({ store, serviceOf });
    expect(await open(setup.teamId).chooseConnection({})).toEqual({
      originId: setup.connection?.id,
      name: undefined,
    });
    expect(await open('T0NONE').chooseConnection({})).toEqual({
      originId: undefined,
      name: undefined,
    });
  });

  it("chooses the named connection, else the channel's, else the default", async () => {
    const { teamId, main, europe } = await setUpTwo();
    const serviceOf = createServiceOf({ regions, transport });
    const { chooseConnection: choose } = createOpenContext({ store, serviceOf })(teamId);
    await database.db
      .insertInto('channel_connection')
      .values({ team_id: teamId, channel_id: 'C1', origin_id: europe, pinned_by: 'U_ADMIN' })
      .execute();
    const [inMain, inEurope] = [
      { originId: main, name: 'main' },
      { originId: europe, name: 'Europe' },
    ];
    expect(await choose({ channelId: 'C2' })).toEqual(inMain);
    expect(await choose({ channelId: 'C1' })).toEqual(inEurope);
    expect(await choose({ channelId: 'C1', name: 'MAIN' })).toEqual(inMain);
    expect(await choose({ channelId: 'C1', originId: main })).toEqual(inMain);
    expect(await choose({ name: 'asia' })).toEqual({
      refused: 'unknown-name',
      names: ['main', 'Europe'],
    });
    expect(await choose({ originId: randomUUID() })).toMatchObject({ refused: 'removed' });
  });
});
