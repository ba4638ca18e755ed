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
import { type Approvals, createApprovals } from './features/approvals/approvals.ts';
import { registerApprovals } from './features/approvals/register.ts';
import { registerCompliance } from './features/compliance/register.ts';
import { describeFailure } from './features/failure-reply.ts';
import { registerHelp } from './features/help/register.ts';
import { registerUsers } from './features/users/register.ts';
import { userActions } from './features/users/user-actions.ts';
import { listUnits } from './features/workspaces/list-units.ts';
import { registerWorkspaces } from './features/workspaces/register.ts';
import type { WorkspaceStore } from './features/workspaces/workspace-store.ts';
import { createOpenService, type OpenService } from './features/workspaces/workspaces.ts';
import { repeat } from './jobs/repeat.ts';
import type { Logger } from './logger.ts';
import { createListeners, type Listeners } from './slack/listeners.ts';
import { createSlackApp } from './slack/slack-app.ts';
import { createApprovalStore } from './storage/approval-store.ts';
import { createAppendToLog } from './storage/decision-log.ts';
import { openDatabase as openByUrl } from './storage/open-database.ts';
import { createTokenCipher } from './storage/token-cipher.ts';
import { voidPending } from './storage/void-pending.ts';
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
    ...registerUsers(listeners, { openService, approvals }),
    ...registerWorkspaces(listeners, {
      ...parts,
      store,
      redrawApproval: approvals.redraw,
      describeFailure,
    }),
  ]);
}

export type Surroundings = {
  log: Logger;
  clock?: Clock;
  /** Opens what `databaseUrl` names. */
  openDatabase?: typeof openByUrl;
};

/** The composition root: builds everything and starts to receive. */
export async function startBelay(
  config: Config,
  { log, clock = systemClock, openDatabase = openByUrl }: Surroundings,
): Promise<Belay> {
  const { db, close: closeDatabase } = await openDatabase(config.databaseUrl);
  const dispatcher = createDispatcher();
  const transport = { dispatcher, limiters: createLimiters(), discoveries: createDiscoveries() };
  const closeAll = async () => {
    await dispatcher.close();
    await closeDatabase();
  };

  try {
    const { app, slack, start, stop } = await createSlackApp(config.slack, { log, clock });
    const { regions } = config;
    const newId = () => randomUUID();

    const workspaceStore = createWorkspaceStore(db, createTokenCipher(config.encryptionKeys), {
      append: createAppendToLog(config.encryptionKeys),
      voidWaiting: voidPending,
    });
    const openService = createOpenService({ store: workspaceStore, regions, transport });
    const approvals = createApprovals({
      store: createApprovalStore(db),
      actions: [...userActions],
      openService,
      readSettings: workspaceStore.readSettings,
      describeFailure,
      slack,
      clock,
      newId,
      log,
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
