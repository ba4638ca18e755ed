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
import type { LogAlertChange } from './features/alerts/alerts.ts';
import { registerAlerts } from './features/alerts/register.ts';
import {
  type Approvals,
  createApprovals,
  followUps,
  type Pace,
} from './features/approvals/approvals.ts';
import { mayDecide } from './features/approvals/approver.ts';
import { registerApprovals } from './features/approvals/register.ts';
import { createLogAnnouncer } from './features/audit/announce-log.ts';
import type { AuditStore } from './features/audit/audit-store.ts';
import { registerAudit } from './features/audit/register.ts';
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
import { createAuditStore } from './storage/audit-store.ts';
import type { Companions } from './storage/change-approval.ts';
import { createCheckpointWriter } from './storage/checkpoint-file.ts';
import { createAppendToLog } from './storage/decision-log.ts';
import { type OpenDatabase, openDatabase as openByUrl } from './storage/open-database.ts';
import { createTokenCipher } from './storage/token-cipher.ts';
import { createVoidWaiting } from './storage/void-waiting.ts';
import { createWorkspaceStore } from './storage/workspace-store.ts';

export type Belay = {
  /** Undefined in Socket Mode. */
  port: number | undefined;
  /** Does now what otherwise happens every few seconds. */
  sweep: () => Promise<void>;
  /** Lets what is under way finish, then closes everything; asked twice (two signals), it does so once. */
  stop: () => Promise<void>;
};

const everySecondMs = 1000;
const everyTenSecondsMs = 10 * everySecondMs;
const everyHourMs = 3600 * everySecondMs;

export type FeatureParts = {
  approvals: Approvals;
  openService: OpenService;
  workspaceStore: WorkspaceStore;
  auditStore: AuditStore;
  regions: Region[];
  probe: (connection: ServiceConnection) => Promise<ProbeResult>;
  listUnits: (connection: ServiceConnection) => Promise<OrganizationalUnit[] | undefined>;
  clock: Clock;
  newId: () => string;
  logAlertChange: LogAlertChange;
};

/** The table of contents: every feature by name, in the order in which help lists them. */
export function registerFeatures(listeners: Listeners, parts: FeatureParts): void {
  const { approvals, openService, workspaceStore: store, auditStore, clock } = parts;
  const { logAlertChange } = parts;
  const { readSettings } = store;
  registerApprovals(listeners, approvals);
  registerHelp(listeners, [
    ...registerAlerts(listeners, {
      ...{ openService, clock },
      changing: { readSettings, mayDecide, logAlertChange },
    }),
    ...registerCompliance(listeners, { openService }),
    ...registerUsers(listeners, { openService, approvals, readSettings }),
    ...registerAudit(listeners, { store: auditStore, readSettings, mayDecide, clock }),
    ...registerWorkspaces(listeners, { ...parts, store, describeFailure }),
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

function openStores(
  { encryptionKeys }: Pick<Config, 'encryptionKeys'>,
  db: OpenDatabase['db'],
  companions: Companions,
) {
  return {
    approvalStore: createApprovalStore(db, companions),
    auditStore: createAuditStore(db),
    workspaceStore: createWorkspaceStore(db, createTokenCipher(encryptionKeys), {
      append: companions.append,
      voidWaiting: createVoidWaiting(companions),
    }),
    logAlertChange: (entry: Parameters<LogAlertChange>[0]) =>
      db.transaction().execute((trx) => companions.append(trx, entry)),
  };
}

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

    const { approvalStore, auditStore, workspaceStore, logAlertChange } = openStores(config, db, {
      append: createAppendToLog(config.encryptionKeys),
      async follow(trx, approval) {
        for (const job of followUps(approval, clock())) await enqueue(trx, job);
      },
    });
    const { readSettings } = workspaceStore;
    const openService = createOpenService({ store: workspaceStore, regions, transport });
    const approvals = createApprovals({
      store: approvalStore,
      actions: [...userActions],
      openService,
      readSettings,
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
      auditStore,
      regions,
      probe: (connection) => probeConnection(connection, transport),
      listUnits: (connection) => listUnits(connection, transport),
      clock,
      newId,
      logAlertChange,
    });

    const { encryptionKeys, checkpointFile: path } = config;
    const writeCheckpoints = createCheckpointWriter({ db, path, encryptionKeys, clock });
    // A place where nothing can be noted is found out now, not after the first decision.
    await writeCheckpoints();
    await jobs.work(approvals.workers);
    const port = await start(config.port, config.host);
    const announceLog = createLogAnnouncer({ store: auditStore, readSettings, slack, clock });
    const repeated = [
      repeat('approvals.sweep', everyTenSecondsMs, approvals.sweep, log),
      repeat('audit.checkpoints', everySecondMs, writeCheckpoints, log),
      repeat('audit.announce', everyHourMs, announceLog, log),
    ];
    const stopAll = async () => {
      await stop();
      await Promise.all(repeated.map((end) => end()));
      await jobs?.stop();
      await writeCheckpoints();
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
