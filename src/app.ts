import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createCheckpointWriter } from './audit-log/checkpoint-file.ts';
import { type Intervals, startBackground } from './background.ts';
import { type Clock, type MonotonicClock, monotonicClock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { requireCompatible } from './database/compatibility.ts';
import { openDatabase as openByUrl } from './database/open-database.ts';
import type { ClientOptions } from './dataprotection/client.ts';
import { createDiscoveryCache } from './dataprotection/dialects/discovery-cache.ts';
import { createDispatcher } from './dataprotection/http/dispatcher.ts';
import { createLimiters } from './dataprotection/http/limiter.ts';
import { probeConnection } from './dataprotection/probe-connection.ts';
import { describeCause, describeFailure } from './describe-failure.ts';
import { createCipher } from './encryption/cipher.ts';
import { approvableActions } from './features/actions/index.ts';
import { examine } from './features/doctor/index.ts';
import type { DrillTimings } from './features/drills/index.ts';
import { createHomeRenderer } from './features/home/index.ts';
import type { UninstallTimings } from './features/installations/index.ts';
import { createKeyRotation } from './features/keys/index.ts';
import { createTokenPages, listUnits } from './features/setup/index.ts';
import { userExists } from './features/users/index.ts';
import { createPostedAlertUpdater } from './features/watches/index.ts';
import type { Logger } from './logger.ts';
import { openStores } from './open-stores.ts';
import { openWorkspaces } from './open-workspaces.ts';
import { createHomes } from './postings/home/create-homes.ts';
import { registerFeatures } from './register-features.ts';
import { joinReplicas, type Replicas } from './replicas/replicas.ts';
import { type Approvals, createApprovals } from './requests/approvals.ts';
import type { Timings } from './requests/timings.ts';
import { type Stage, shutDown } from './shutdown.ts';
import { createAdminDirectory } from './slack/api/list-admins.ts';
import { listenForHomes } from './slack/interactions/home-opened.ts';
import { createListeners } from './slack/interactions/listeners.ts';
import type { CallLimits } from './slack/interactions/recent-callers.ts';
import { listenForUninstalls } from './slack/interactions/uninstall-events.ts';
import { createSlackApp } from './slack/server/slack-app.ts';
import { startHealth } from './start-health.ts';
import { startTracing } from './start-tracing.ts';
import { version } from './version.ts';
import { createOpenTeams, openAccess } from './workspace/access/access.ts';
import { createOpenContext } from './workspace/call.ts';
import { createOpenService, createServiceOf } from './workspace/open-service.ts';
import { createOpenSettings } from './workspace/open-settings.ts';

export type Belay = {
  /** Undefined in Socket Mode. */
  port: number | undefined;
  /** Undefined if no health port is configured. */
  healthPort: number | undefined;
  /** Does everything that is due for requests, and waits for it. */
  sweep: () => Promise<void>;
  /**
   * Waits for running work, then closes everything. Never rejects; resolves to whether all of it ended
   * in time. Calls after the first return the same promise.
   */
  stop: () => Promise<boolean>;
};

export type AppOptions = {
  log: Logger;
  clock?: Clock;
  monotonicClock?: MonotonicClock;
  /** Opens the database that `config.databaseUrl` names. */
  openDatabase?: typeof openByUrl;
  /** Deadlines, leases and intervals of approvals. */
  timings?: Partial<Timings>;
  /** How often restore drills look at the service, and how many at once. */
  drillTimings?: Partial<DrillTimings>;
  /** How soon an uninstalled workspace is noticed, and its data deleted. */
  uninstallTimings?: Partial<UninstallTimings>;
  /** How often periodic work is due; tests shorten it. */
  intervals?: Partial<Intervals>;
  /** How long calls to the service take at most, and how they are retried. */
  clientOptions?: ClientOptions;
  /** How long a list of alerts continues to count after its first page is full. */
  countMs?: number;
  /** How many calls of one person are answered within a minute; programs that measure allow more. */
  callLimits?: CallLimits;
  /** How long stopping may take in all. */
  stopMs?: number;
};

/** Less than the 30 s that Kubernetes and most supervisors wait before they kill a process. */
export const defaultStopMs = 25_000;

/**
 * The composition root: builds everything and starts to receive.
 * @throws with one line for the operator when the configuration does not work.
 */
export async function startBelay(config: Config, options: AppOptions): Promise<Belay> {
  const {
    log,
    clock = systemClock,
    openDatabase = openByUrl,
    timings,
    clientOptions,
    countMs,
  } = options;
  const { callLimits, monotonicClock: now = monotonicClock } = options;
  const health = await startHealth(config.health, { clock, log });
  const { metrics } = health;
  const tracing = await startTracing(config.tracing, log);
  const opening = openDatabase(config.databaseUrl, config.databaseOptions);
  const opened = await opening.catch(async (error: unknown) => {
    await tracing.stop(0);
    await health.close();
    throw error;
  });
  const { db, isEmbedded, close: closeDatabase } = opened;
  const dispatcher = createDispatcher();
  let approvals: Approvals | undefined;
  let replicas: Replicas | undefined;
  const stopRequests: Stage = {
    name: 'changes of requests',
    until: 0.85,
    stop: async () => approvals?.work.stop(),
  };
  const closing: Stage[] = [
    { name: 'service connections', until: 0.95, stop: () => dispatcher.close() },
    { name: 'process registration', until: 0.97, stop: async () => replicas?.leave() },
    { name: 'database', until: 0.99, stop: closeDatabase },
    { name: 'traces', until: 0.995, stop: tracing.stop },
    { name: 'health port', until: 1, stop: health.close },
  ];
  const stopOptions = { deadlineMs: options.stopMs ?? defaultStopMs, log };

  try {
    const replicaId = `${hostname()}-${randomBytes(4).toString('hex')}`;
    // Heartbeats are sent in real time, so their age is measured in it, whatever clock the rest is given.
    replicas = await joinReplicas(db, {
      id: replicaId,
      version,
      clock: systemClock,
      encryptionKeyId: createCipher(config.encryptionKeys).currentKeyId,
    });
    // Before it joined, a newer version could have changed the schema without waiting for this process.
    await requireCompatible(db);
    const transport = {
      dispatcher,
      discoveryCache: createDiscoveryCache(),
      options: clientOptions,
      limiters: createLimiters({ shareOf: replicas.shareOf }),
      onExchange: metrics?.serviceCalled,
    };
    const workspaces = await openWorkspaces(config, {
      db,
      clock,
      log,
      metrics,
      timings: options.uninstallTimings,
    });
    const { isServed, readToken, findInstallPage, onUninstallEvent, oauth } = workspaces;
    const { regions, encryptionKeys, checkpointFile: path, policyIntervalMs } = config;
    const openTeams = createOpenTeams(now);
    const stores = openStores(db, {
      encryptionKeys,
      isServed,
      onSettingsSaved(teamId) {
        openTeams.forget(teamId);
        // A save may have voided requests, or changed who decides them. What fails is tried again anyway.
        approvals?.work.publish.start().catch(() => undefined);
      },
      onRequestsChanged: (changed) => approvals?.work.start(changed),
    });
    // Socket Mode has no HTTP port, and so no pages.
    const publicUrl = config.slack.appToken === undefined ? config.publicUrl : undefined;
    const tokenPages =
      publicUrl === undefined ? undefined : { store: stores.tokenPages, publicUrl };
    const pages = new Map([
      ...(oauth?.pages ?? []),
      ...(tokenPages ? createTokenPages({ ...tokenPages, clock, log }) : []),
    ]);
    const { app, clients, deliveryClients, ...receiver } = await createSlackApp(
      config.slack,
      readToken,
      {
        log,
        clock,
        pages,
        onTokenRefused: oauth?.uninstaller.tokenRefused,
        observer: metrics,
      },
    );

    const { readSettings } = stores.workspaceStore;
    const serviceOf = createServiceOf({ regions, transport });
    const openService = createOpenService(stores.workspaceStore, serviceOf);
    const openSettings = createOpenSettings({ store: stores.workspaceStore, clock });
    const access = openAccess({ db, readSettings, openTeams, clock, log });
    const adminDirectory = createAdminDirectory({ now, listNamed: access.listAdmins });
    approvals = createApprovals({
      store: stores.approvalStore,
      actions: approvableActions,
      openService,
      openSettings,
      drills: stores.drills,
      readSettings,
      clients,
      access,
      adminDirectory,
      clock,
      log,
      timings,
    });
    const postedAlerts = createPostedAlertUpdater({ store: stores.pollStore, clock, log });
    const writeMissing = createCheckpointWriter({ db, path, encryptionKeys, clock, log });
    const writeCheckpoints = async () => {
      await stores.checkpointStore.keep(writeMissing, clock);
      metrics?.checkpointed(clock());
    };

    const doctor = {
      db,
      transport,
      regions,
      encryptionKeys,
      describeCause,
      access,
      clock,
      log,
      store: stores.workspaceStore,
      isEmbedded,
      isServed,
      isReceiving: receiver.isReceiving,
    };
    const homes = createHomes({
      store: stores.homeStore,
      pace: stores.publishPace,
      clients,
      clock,
      now,
      log,
      render: createHomeRenderer({
        db,
        approvals,
        workspaceStore: stores.workspaceStore,
        openService,
        regions,
        access,
        log,
      }),
    });
    const listening = {
      log,
      clients,
      findInstallPage,
      describeFailure,
      observer: metrics,
      onHomeUsed: homes.open,
      now,
      callLimits,
      refreshOrganization: oauth?.organizations.refreshOnDemand,
      onOutsiderRefused: approvals.logOutsider,
      onRightMissing: approvals.logMissingRight,
      authorize: access.authorize,
      openContext: createOpenContext({ store: stores.workspaceStore, serviceOf }),
    };
    registerFeatures(createListeners(app, listening), {
      approvals,
      openService,
      openSettings,
      access,
      adminDirectory,
      stores,
      regions,
      probe: (connection) => probeConnection(connection, transport),
      listUnits: (connection) => listUnits(connection, transport),
      userExists: (connection, text) => userExists(connection, text, transport),
      reportAlert: postedAlerts.update,
      tokenPages,
      examine: (examined) => examine(examined, doctor),
      countMs,
      policyIntervalMs,
      clock,
    });

    listenForHomes(app, homes.open);
    listenForUninstalls(app, onUninstallEvent, log);

    // A checkpoint file that can't be written stops the start, not the first decision.
    await writeCheckpoints();
    const port = await receiver.start(config.port, config.host);

    const stopBackground = startBackground(
      {
        stores,
        approvals,
        access,
        adminDirectory,
        writeCheckpoints,
        clients,
        deliveryClients,
        homes,
        reportAlert: postedAlerts.update,
        now,
        oauth,
        policyIntervalMs,
        drillTimings: options.drillTimings,
        clock,
        log,
        beat: replicas.beat,
        onPolled: metrics?.polled,
        rotateKeys: createKeyRotation({ db, encryptionKeys, clock: systemClock, log }),
        openService: createOpenService(
          stores.workspaceStore,
          createServiceOf({ regions, transport, options: { priority: 'background' } }),
        ),
      },
      options.intervals,
    );
    health.begin({ db, isServed, isReceiving: receiver.isReceiving });
    const stages: Stage[] = [
      { name: 'listeners', until: 0.4, stop: receiver.stop },
      { name: 'watches of changed alerts', until: 0.45, stop: postedAlerts.settled },
      { name: 'background work', until: 0.7, stop: stopBackground },
      stopRequests,
      { name: 'checkpoints', until: 0.9, stop: writeCheckpoints },
      ...closing,
    ];
    let stopping: Promise<boolean> | undefined;
    return {
      port,
      healthPort: health.port,
      async sweep() {
        await Promise.all([approvals?.work.finish(), approvals?.remind.finish()]);
      },
      stop() {
        health.beginStop();
        stopping ??= shutDown(stages, stopOptions);
        return stopping;
      },
    };
  } catch (error) {
    await shutDown([stopRequests, ...closing], stopOptions);
    throw error;
  }
}
