import { randomBytes, randomUUID } from 'node:crypto';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { ServiceConnection } from './dataprotection/connection.ts';
import { createDiscoveries } from './dataprotection/discoveries.ts';
import { createDispatcher } from './dataprotection/dispatcher.ts';
import { createLimiters } from './dataprotection/limiter.ts';
import type { OrganizationalUnit } from './dataprotection/organizational-units.ts';
import { type ProbeResult, probeConnection } from './dataprotection/probe-connection.ts';
import type { Region } from './dataprotection/region.ts';
import { registerAlerts } from './features/alerts/register.ts';
import {
  type Approvals,
  createApprovals,
  followUps,
  type Pace,
} from './features/approvals/approvals.ts';
import { registerApprovals } from './features/approvals/register.ts';
import { registerCompliance } from './features/compliance/register.ts';
import { describeCause, describeFailure } from './features/failure-reply.ts';
import { registerHelp } from './features/help/register.ts';
import { registerUsers } from './features/users/register.ts';
import { userActions } from './features/users/user-actions.ts';
import { listUnits } from './features/workspaces/list-units.ts';
import { registerWorkspaces } from './features/workspaces/register.ts';
import type { WorkspaceStore } from './features/workspaces/workspace-store.ts';
import { createOpenService, type OpenService } from './features/workspaces/workspaces.ts';
import { type JobQueue, openJobQueue } from './jobs/job-queue.ts';
import { repeat } from './jobs/repeat.ts';
import type { Logger } from './logger.ts';
import { createListeners, type Listeners } from './slack/listeners.ts';
import { createSlackApp } from './slack/slack-app.ts';
import { createApprovalStore } from './storage/approval-store.ts';
import { createAppendToLog } from './storage/decision-log.ts';
import { openDatabase as openByUrl } from './storage/open-database.ts';
import { createTokenCipher } from './storage/token-cipher.ts';
import { createVoidWaiting } from './storage/void-waiting.ts';
import { createWorkspaceStore } from './storage/workspace-store.ts';

export type Belay = {
  /** Undefined in Socket Mode. */
  port: number | undefined;
  /** Does now what otherwise happens every minute. */
  sweep: () => Promise<void>;
  /** Lets what is under way finish, then closes everything; asked twice (two signals), it does so once. */
  stop: () => Promise<void>;
};

const sweepEveryMs = 60_000;

export type FeatureParts = {
  approvals: Approvals;
  openService: OpenService;
  workspaceStore: WorkspaceStore;
  regions: Region[];
  probe: (connection: ServiceConnection) => Promise<ProbeResult>;
  listUnits: (connection: ServiceConnection) => Promise<OrganizationalUnit[] | undefined>;
  clock: Clock;
  newId: () => string;
};

/** The table of contents: every feature by name, in the order in which help lists them. */
export function registerFeatures(listeners: Listeners, parts: FeatureParts): void {
  const { approvals, openService, workspaceStore: store } = parts;
  registerApprovals(listeners, approvals);
  registerHelp(listeners, [
    ...registerAlerts(listeners, { openService }),
    ...registerCompliance(listeners, { openService }),
    ...registerUsers(listeners, { openService, approvals, readSettings: store.readSettings }),
    ...registerWorkspaces(listeners, {
      ...parts,
      store,
      describeFailure,
    }),
  ]);
}

export type Surroundings = {
  log: Logger;
  clock?: Clock;
  /** Opens what `databaseUrl` names. */
  openDatabase?: typeof openByUrl;
  /** How patient Belay is with what it carries out. */
  pace?: Pace;
};

/** The composition root: builds everything and starts to receive. */
export async function startBelay(
  config: Config,
  { log, clock = systemClock, openDatabase = openByUrl, pace }: Surroundings,
): Promise<Belay> {
  const { db, shared, close: closeDatabase } = await openDatabase(config.databaseUrl);
  const dispatcher = createDispatcher();
  const transport = { dispatcher, limiters: createLimiters(), discoveries: createDiscoveries() };
  let jobs: JobQueue | undefined;
  const closeAll = async () => {
    await jobs?.stop();
    await dispatcher.close();
    await closeDatabase();
  };

  try {
    jobs = await openJobQueue(shared, { log });
    const { enqueue } = jobs;
    const { app, slack, start, stop } = await createSlackApp(config.slack, { log, clock });
    const { regions } = config;
    const newId = () => randomUUID();

    const companions = {
      append: createAppendToLog(config.encryptionKeys),
      async follow(trx: Parameters<typeof enqueue>[0], approval: Parameters<typeof followUps>[0]) {
        for (const job of followUps(approval, clock())) await enqueue(trx, job);
      },
    };
    const workspaceStore = createWorkspaceStore(db, createTokenCipher(config.encryptionKeys), {
      append: companions.append,
      voidWaiting: createVoidWaiting(companions),
    });
    const openService = createOpenService({ store: workspaceStore, regions, transport });
    const approvals = createApprovals({
      store: createApprovalStore(db, companions),
      actions: [...userActions],
      openService,
      readSettings: workspaceStore.readSettings,
      describeFailure,
      describeCause,
      slack,
      clock,
      newId,
      log,
      pace,
    });

    const listeners = createListeners(app, {
      log,
      describeFailure,
      newReference: () => randomBytes(4).toString('hex'),
    });
    registerFeatures(listeners, {
      approvals,
      openService,
      workspaceStore,
      regions,
      probe: (connection) => probeConnection(connection, transport),
      listUnits: (connection) => listUnits(connection, transport),
      clock,
      newId,
    });

    await jobs.work(approvals.workers);
    const port = await start(config.port, config.host);
    const stopSweeping = repeat('approvals.sweep', sweepEveryMs, approvals.sweep, log);
    const stopAll = async () => {
      await stop();
      await stopSweeping();
      await closeAll();
    };
    let stopping: Promise<void> | undefined;
    return {
      port,
      sweep: approvals.sweep,
      stop() {
        stopping ??= stopAll();
        return stopping;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
