import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { startReferenceService } from '../../playground/service/start-service.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { builtInValues } from '../../src/features/alerts/known-values.ts';
import { createWatches } from '../../src/features/watches/poller.ts';
import { readAnchor } from '../../src/features/watches/read-anchor.ts';
import { parseWatchFilter } from '../../src/features/watches/set-up-watch.ts';
import { createLogger } from '../../src/logger.ts';
import { openStores } from '../../src/open-stores.ts';
import { createOpenService, createServiceOf } from '../../src/workspace/open-service.ts';
import { fastRetries, openTransport } from '../dataprotection/local-server.ts';
import { logKeys, newSetup, newTeamId } from '../requests/store/rows.ts';

/** The data of the reference services is older. */
const startedAt = new Date('2026-11-21T12:00:00Z');

/** A workspace with the connections `main` and `europe`, each to a reference service of its own. */
export async function startTwoConnections(
  db: Database,
  { volumes, requestsPerSecond = 100 }: { volumes?: number; requestsPerSecond?: number } = {},
) {
  const start = () =>
    startReferenceService({
      dialect: 'live',
      now: startedAt,
      clock: () => startedAt,
      ...(volumes !== undefined && { volumes }),
    });
  const services = { main: await start(), europe: await start() };
  onTestFinished(async () => {
    await Promise.all(Object.values(services).map((service) => service.close()));
  });
  const portalOf = (name: Name) => {
    const [portal] = services[name].portals;
    if (!portal) throw new Error('the reference service has no portal');
    return portal;
  };
  const regions = (['main', 'europe'] as const).map((id) => ({
    id,
    label: id,
    portal: 'https://portal.example.com',
    baseUrl: portalOf(id).baseUrl,
    dialect: 'live' as const,
    requestsPerSecond,
  }));
  let now = new Date('2026-12-24T00:00:00Z');
  const stores = openStores(db, {
    encryptionKeys: logKeys,
    isServed: serveAll,
  });
  const { workspaceStore, watchStore, pollStore } = stores;
  const openService = createOpenService(
    workspaceStore,
    createServiceOf({ regions, transport: { ...openTransport(), options: fastRetries } }),
  );
  const teamId = newTeamId();
  const connectionTo = (name: Name) => ({
    id: randomUUID(),
    regionId: name,
    organizationalUnitId: undefined,
    token: portalOf(name).token,
  });
  const main = connectionTo('main');
  const europe = connectionTo('europe');
  await workspaceStore.saveSetup(newSetup({ teamId, connection: main }));
  const target = { kind: 'add' as const, originId: europe.id, name: 'europe' };
  await workspaceStore.saveSetup(newSetup({ teamId, connection: europe, target }));
  const background = {
    openService,
    log: createLogger('silent'),
    clock: () => now,
  };
  const poller = createWatches({ ...background, store: pollStore, watchStore });

  return {
    db,
    teamId,
    stores,
    services,
    background,
    originOf: { main: main.id, europe: europe.id },
    now: () => now,
    wait: (minutes: number) => {
      now = new Date(now.getTime() + minutes * 60_000);
    },
    portalOf,
    /** Saves the connection again, as a new row. */
    async replace(name: Name) {
      const originId = { main, europe }[name].id;
      const edit = { kind: 'edit' as const, originId, name };
      const connection = connectionTo(name);
      await workspaceStore.saveSetup(newSetup({ teamId, connection, target: edit }));
    },
    remove: (name: Name) =>
      workspaceStore.saveSetup(
        newSetup({
          teamId,
          connection: undefined,
          target: { kind: 'remove', originId: { main, europe }[name].id, name },
        }),
      ),
    async watch(name: Name, { filter = 'all', channelId = 'C1' } = {}) {
      const service = await openService(teamId, { originId: { main, europe }[name].id });
      const parsed = parseWatchFilter(filter, now, builtInValues);
      if (!service || 'problem' in parsed) throw new Error('no service or no filter');
      const { connectionId, originId, client } = service;
      return watchStore.create(
        {
          id: randomUUID(),
          teamId,
          channelId,
          at: now,
          connectionId,
          originId,
          search: parsed.search,
          createdBy: 'U_ANA',
          anchor: await readAnchor(client, now, AbortSignal.timeout(5000)),
        },
        { max: 20 },
      );
    },
    poll: () => poller.poll.finish(),
    /** The messages that were queued for the channel since the last call. */
    async posted(channelId = 'C1') {
      const rows = await db
        .selectFrom('delivery_message')
        .select('message')
        .where('team_id', '=', teamId)
        .where('channel_id', '=', channelId)
        .orderBy('position')
        .execute();
      await db.deleteFrom('delivery_message').where('team_id', '=', teamId).execute();
      return rows.map(({ message }) => JSON.stringify(message));
    },
  };
}

type Name = 'main' | 'europe';
