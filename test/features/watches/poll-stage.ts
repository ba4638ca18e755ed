import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Alert as ServiceAlert } from '../../../playground/service/resources.ts';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Database } from '../../../src/database/tables.ts';
import type { ServiceClient, ServiceRequest } from '../../../src/dataprotection/client.ts';
import type { Dialect } from '../../../src/dataprotection/dialects/dialect.ts';
import { alertSchema } from '../../../src/dataprotection/resources/alert-schema.ts';
import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import { createWatches } from '../../../src/features/watches/poller.ts';
import { readAnchor } from '../../../src/features/watches/read-anchor.ts';
import { parseWatchFilter } from '../../../src/features/watches/set-up-watch.ts';
import { createPollStore } from '../../../src/features/watches/store/poll-store.ts';
import { createWatchStore } from '../../../src/features/watches/store/watch-store.ts';
import { defaultTimings, type Timings } from '../../../src/features/watches/timings.ts';
import type { Watch } from '../../../src/features/watches/watch.ts';
import { createLogger } from '../../../src/logger.ts';
import type { Destination, Outgoing } from '../../../src/postings/outbox/message.ts';
import type { OpenService } from '../../../src/workspace/open-service.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import { openClient } from '../../dataprotection/local-server.ts';
import { openReference } from '../../dataprotection/reference-service.ts';
import { logKeys, newSetup, newTeamId } from '../../requests/store/rows.ts';
import { openAnyDatabase } from '../../support/databases.ts';

export type Queued = { to: Destination } & Outgoing;

/** The reference service's alerts are from before this time. */
export const startedAt = new Date('2026-11-21T12:00:00Z');

/** Shares one database between the tests of a file, which is faster; each opening empties it. */
export function shareWatching(): (dialect: Dialect, options?: Options) => Promise<Watching> {
  let database: OpenDatabase | undefined;
  beforeAll(async () => {
    database = await openAnyDatabase();
  });
  afterAll(() => database?.close());
  return async (dialect, options) => {
    if (!database) throw new Error('the shared database is not open yet');
    for (const table of ['watched_alert', 'watch', 'alert_poll', 'connection'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    return openWatching(database.db, dialect, options);
  };
}

type Options = { pageSize?: number; timings?: Partial<Timings> };

/** The reference service, the stores and the poller, with a clock and a queue for the test. */
async function openWatching(
  db: Database,
  dialect: Dialect,
  { pageSize = 20, timings = {} }: Options = {},
) {
  const reference = await openReference({
    dialect,
    pageSize,
    now: startedAt,
    clock: () => startedAt,
  });
  const { service, portal } = reference;
  const keys = logKeys;
  const workspaces = createWorkspaceStore(db, createTokenCipher(keys), {
    append: createAppendEntry(keys),
    isServed: serveAll,
    onConnectionReplaced: async () => [],
    onConnectionRemoved: async () => undefined,
    onSetupSaved: async () => [],
    onApproversChanged: async () => undefined,
    onConnectionsChanged: async () => undefined,
  });

  const queued: Queued[] = [];
  const enqueueMessages = async (_: unknown, to: Destination, outgoing: Outgoing[]) => {
    queued.push(...outgoing.map((one) => ({ to, ...one })));
    return outgoing.map(({ subject }) => ({ subject, as: 'message' as const }));
  };
  const store = createWatchStore(db, { enqueueMessages, isServed: serveAll });
  const polls = createPollStore(db, {
    enqueueMessages,
    append: createAppendEntry(keys),
    isServed: serveAll,
  });

  let now = new Date('2026-12-24T00:00:00Z');
  const clients = new Map<string, ServiceClient>();
  let beforeRequest: (count: number) => void | Promise<void> = () => undefined;
  const openService: OpenService = async (teamId) => {
    const connection = await workspaces.openConnection(teamId);
    if (!connection || connection === 'unreadable') return undefined;
    const known = clients.get(connection.id);
    const client = known ?? openClient(portal.baseUrl, connection.token, undefined, dialect);
    clients.set(connection.id, client);
    let requests = 0;
    const watched: ServiceClient = {
      ...client,
      async send(request, schema) {
        requests += 1;
        await beforeRequest(requests);
        return client.send(withPageSize(request, pageSize), schema);
      },
    };
    return {
      connectionId: connection.id,
      originId: connection.originId,
      organizationalUnitId: undefined,
      tokenOwner: undefined,
      client: watched,
    };
  };

  const startPoller = (pollerTimings = timings) =>
    createWatches({
      store: polls,
      watchStore: store,
      openService,
      clock: () => now,
      log: createLogger('fatal'),
      timings: { ...defaultTimings, ...pollerTimings },
    });

  return {
    service,
    portal,
    db,
    store,
    polls,
    queued,
    openService,
    startPoller,
    now: () => now,
    /** Advances the clock far enough for every poll to be due, even after failures. */
    waitForNextPoll: () => {
      now = new Date(now.getTime() + defaultTimings.maxBackoffMs);
    },
    tick: (ms = 1) => {
      now = new Date(now.getTime() + ms);
    },
    /** Sets what runs before each request of services opened from now on; it may throw. */
    onRequest(run: typeof beforeRequest) {
      beforeRequest = run;
    },
    async connect(teamId = newTeamId(), token = portal.token): Promise<string> {
      const organizationalUnitId = undefined;
      const connection = { id: randomUUID(), regionId: 'eu', organizationalUnitId, token };
      await workspaces.saveSetup(newSetup({ teamId, connection }));
      return teamId;
    },
    async setUp(teamId: string, filter = 'all', channelId = 'C1'): Promise<Watch> {
      const opened = await openService(teamId);
      const parsed = parseWatchFilter(filter, now, builtInValues);
      if (!opened || 'problem' in parsed) throw new Error('no service or no filter');
      const created = await store.create(
        {
          id: randomUUID(),
          teamId,
          channelId,
          at: now,
          connectionId: opened.connectionId,
          originId: opened.originId,
          search: parsed.search,
          createdBy: 'U_ANA',
          anchor: await readAnchor(opened.client, now, AbortSignal.timeout(5000)),
        },
        { max: 20 },
      );
      if (created.result !== 'created') throw new Error(created.result);
      queued.length = 0;
      return created.item;
    },
  };
}

/** Shortens the pages of a client that asks for the longest ones. */
function withPageSize(request: ServiceRequest, pageSize: number): ServiceRequest {
  const { query } = request;
  return query?.limit ? { ...request, query: { ...query, limit: String(pageSize) } } : request;
}

export type Watching = Awaited<ReturnType<typeof openWatching>>;

/** An alert as the service has it, raised once at that time unless `changes` say otherwise. */
export function serviceAlert(
  id: string,
  at: Date,
  changes: Partial<ServiceAlert> = {},
): ServiceAlert {
  return {
    id,
    type: 'policy_violated',
    cause: 'backup_failed',
    severity: 'error',
    status: 'active',
    notes: '',
    raised_count: 1,
    cleared_timestamp: null,
    raised_timestamp: at.toISOString(),
    updated_timestamp: at.toISOString(),
    primary_entity: { id: `e-${id}`, type: 'aws_ebs_volume', value: `volume ${id}` },
    ...changes,
  };
}

/** The alert as Belay parses it. */
export function asRead(alert: ServiceAlert): Alert {
  return alertSchema.parse(alert);
}

export function seconds(count: number): Date {
  return new Date(startedAt.getTime() + count * 1000);
}
