import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import { policyWatchSection } from '../../../../src/features/configuration/sections/policy-watches.ts';
import {
  createComplianceWatchStore,
  insertComplianceWatch,
} from '../../../../src/features/watches/store/compliance-watch-store.ts';
import { createPolicyWatchStore } from '../../../../src/features/watches/store/policy-watch-store.ts';
import { createWatchStore } from '../../../../src/features/watches/store/watch-store.ts';
import { enqueueMessages } from '../../../../src/postings/outbox/enqueue.ts';
import { SetupChangedError } from '../../../../src/workspace/open-settings.ts';
import { createTokenCipher } from '../../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../../src/workspace/store/workspace-store.ts';
import { logKeys, newSetup, newTeamId, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';
import { waitForLock } from '../../../support/wait-for-lock.ts';

describe.each(databases())('the limit of watches on $name', ({ name, open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  async function connect() {
    const teamId = newTeamId();
    const setup = newSetup({ teamId });
    await createWorkspaceStore(database.db, createTokenCipher(logKeys), {
      append: createAppendEntry(logKeys),
      isServed: serveAll,
      onConnectionReplaced: async () => [],
      onConnectionRemoved: async () => undefined,
      onSetupSaved: async () => [],
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
    }).saveSetup(setup);
    const connectionId = setup.connection?.id ?? '';
    return { teamId, connectionId, originId: connectionId };
  }

  it('holds when several people add watches of all kinds to a channel at once', async () => {
    const { teamId, connectionId, originId } = await connect();
    const dependencies = { enqueueMessages, isServed: serveAll };
    const alerts = createWatchStore(database.db, dependencies);
    const compliance = createComplianceWatchStore(database.db, dependencies);
    const policies = createPolicyWatchStore(database.db, dependencies);
    const search = { status: 'active', sort: '-updated', words: [] } as const;
    const anchor = { highWater: noon, alertId: 'a0', known: [] };
    const max = 1;

    const addToChannel = async (channelId: string) => {
      const channel = { teamId, channelId, originId };
      const compliant = { ...channel, maxCount: 3, count: 2 };
      const added = { createdBy: 'U1', at: noon };
      const results = await Promise.all([
        alerts
          .create(
            {
              ...channel,
              id: randomUUID(),
              connectionId,
              search: { ...search, words: [] },
              createdBy: 'U1',
              anchor,
              at: noon,
            },
            { max },
          )
          .then(({ result }) => result),
        ...['gold', 'silver'].map((id) =>
          compliance
            .create({ ...compliant, ...added, id: randomUUID(), policy: { id, name: id } }, { max })
            .then(({ result }) => result),
        ),
        policies.start({ ...channel, by: 'U1', at: noon }, { max }).then(({ result }) => result),
      ]);
      return results.toSorted();
    };

    const channels = Array.from({ length: 5 }, () => `C${randomUUID()}`);
    const results = await Promise.all(channels.map(addToChannel));
    expect(results).toEqual(channels.map(() => ['created', 'too-many', 'too-many', 'too-many']));
  });

  const gold = (of: { teamId: string; originId: string }) => ({
    teamId: of.teamId,
    originId: of.originId,
    channelId: 'C1',
    id: randomUUID(),
    policy: { id: 'gold', name: 'gold' },
    maxCount: 3,
    count: 2,
    createdBy: 'U1',
    at: noon,
  });

  it('counts the same watch once when two people add it at once', async () => {
    const of = await connect();
    const store = createComplianceWatchStore(database.db, { enqueueMessages, isServed: serveAll });
    const add = () => store.create(gold(of), { max: 1 }).then(({ result }) => result);
    expect((await Promise.all([add(), add()])).toSorted()).toEqual(['created', 'exists']);
  });

  // The embedded database has one connection.
  it.runIf(name === 'PostgreSQL')(
    'counts a watch once that a configuration adds at the same time',
    async () => {
      const of = await connect();
      const { db } = database;
      const store = createComplianceWatchStore(db, { enqueueMessages, isServed: serveAll });
      const adding = await db.transaction().execute(async (trx) => {
        await insertComplianceWatch(trx, gold(of));
        const add = { created: store.create(gold(of), { max: 1 }) };
        await waitForLock(db);
        return add;
      });
      expect(await adding.created).toMatchObject({ result: 'exists' });
      expect(await store.list({ teamId: of.teamId, channelId: 'C1' })).toHaveLength(1);
    },
  );

  it('refuses a configuration that adds a watch which the channel got meanwhile', async () => {
    const of = await connect();
    const { teamId, originId } = of;
    const store = createPolicyWatchStore(database.db, { enqueueMessages });
    await store.start({ teamId, originId, channelId: 'C1', by: 'U1', at: noon }, { max: 1 });
    const item = policyWatchSection.schema.parse({
      channel: 'C1',
      connection: 'main',
      owner: 'U2',
    });
    const connection = { id: of.connectionId, originId, anchor: undefined };
    const append = async () => undefined;
    const context = { teamId, by: 'U2', at: noon, append, connection };
    const adding = database.db.transaction().execute((trx) => item.save(trx, context));
    await expect(adding).rejects.toThrow(SetupChangedError);
  });
});
