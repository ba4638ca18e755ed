import { type Clock, systemClock } from '../../src/clock.ts';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import type { ListeningServer } from '../listen.ts';
import { startAdminServer } from './admin-server.ts';
import type { Collection } from './data/collection.ts';
import { defaultUserCount } from './data/users.ts';
import { defaultVolumeCount } from './data/volumes.ts';
import { documentedDialect } from './documented/documented-dialect.ts';
import { createActiveFaults } from './faults/active-faults.ts';
import type { Fault, FaultMatch } from './faults/fault.ts';
import { acceptInvitation } from './live/invite-user.ts';
import { createLiveDialect } from './live/live-dialect.ts';
import { createPortal, type PortalParts, type TokenOptions } from './portal/create-portal.ts';
import { globalUnitId, portalDefinitions } from './portal/portal-definitions.ts';
import {
  type PortalServerOptions,
  type ReceivedRequest,
  startPortalServer,
} from './portal/portal-server.ts';
import type { LinkSet } from './portal/request-context.ts';
import type {
  Alert,
  Backup,
  ComplianceStatistics,
  Environment,
  OrganizationalUnit,
  Policy,
  PolicyField,
  Task,
  User,
  Volume,
} from './resources.ts';
import type { TaskTimings } from './tasks.ts';

export type ReferenceServiceOptions = {
  /** The dialect of all portals, by default `documented`. */
  dialect?: Dialect;
  /** The first of four consecutive ports; 0, the default, takes any free ones. */
  port?: number;
  /** The time that the sample data is relative to, by default the start. */
  now?: Date;
  /** Used for tasks, timestamps and rate limits. */
  clock?: Clock;
  links?: LinkSet;
  /** False: the list of policies, which the contract only implies, responds 404. */
  listsPolicies?: boolean;
  /** True: policies are stored and returned as they were sent, whatever is in them. */
  acceptsAnyPolicy?: boolean;
  /** Discovery ids of operations that the service doesn't have; live dialect only. */
  without?: readonly string[];
  /** The number of users of each portal. */
  users?: number;
  /** The number of EBS volumes of each portal. */
  volumes?: number;
  /** The default page size. */
  pageSize?: number;
  taskTimings?: TaskTimings;
  /** The first portal's token, instead of a new one. */
  token?: string;
  /** Whether to start the admin endpoints, which set faults from outside the process. */
  admin?: boolean;
};

export type Portal = {
  id: string;
  label: string;
  baseUrl: string;
  /** Has access to every unit; the global one is its default. */
  token: string;
  /** Has access to the global unit only. */
  restrictedToken: string;
  organizationalUnits: OrganizationalUnit[];
};

export type ReferenceService = {
  dialect: Dialect;
  portals: readonly Portal[];
  /** The base URL of the admin endpoints, if there are any. */
  admin?: string;
  /** All requests since the start or the last reset, oldest first. */
  requests: readonly ReceivedRequest[];
  /** Called when a request was handled, before its response is sent; undefined for nothing. */
  setOnHandled: (listener: ((request: ReceivedRequest) => void) | undefined) => void;
  /** Replaces all active faults with one; undefined removes them. */
  setFault: (fault: Fault | undefined, match?: FaultMatch) => void;
  /** Adds a fault; if several match a request, the oldest applies. */
  addFault: (fault: Fault, match?: FaultMatch) => void;
  /** For tasks started from now on. */
  setTaskTimings: (timings: TaskTimings) => void;
  /** Ends all running tasks with their outcome. */
  finishTasks: () => void;
  /** Another token of the portal's tenant. */
  issueToken: (portalId: string, options?: TokenOptions) => string;
  /** The service refuses the token from now on. */
  revokeToken: (portalId: string, token: string) => void;
  /** Copies of the service's own state, across all units. */
  user: (portalId: string, id: string) => User | undefined;
  users: (portalId: string) => User[];
  /** Changes a user without a request, including fields that no request can change. */
  changeUser: (portalId: string, id: string, change: Partial<Omit<User, 'id'>>) => void;
  /** False if the user wasn't invited by a request, is disabled, or took more than 7 days. */
  acceptInvitation: (portalId: string, id: string) => boolean;
  /** While on, an invitation can't set roles and units. */
  setAutoProvisioning: (portalId: string, isOn: boolean) => void;
  policies: (portalId: string) => Policy[];
  /** Changes a policy without a request, its lock included. */
  changePolicy: (portalId: string, id: string, change: Partial<Omit<Policy, 'id'>>) => void;
  removePolicy: (portalId: string, id: string) => void;
  /** From now on a PUT of a policy leaves these fields as they are. */
  ignorePolicyFields: (fields: PolicyField[]) => void;
  /** Replaces the compliance statistics of a policy. */
  setCompliance: (
    portalId: string,
    policyId: string,
    statistics: Partial<ComplianceStatistics>,
  ) => void;
  alerts: (portalId: string) => Alert[];
  /**
   * Adds an alert to the unit, by default the global one, or replaces the alert with the same id.
   */
  putAlert: (portalId: string, alert: Alert, organizationalUnitId?: string) => void;
  tasks: (portalId: string) => Task[];
  environments: (portalId: string) => Environment[];
  changeEnvironment: (
    portalId: string,
    id: string,
    change: Partial<Omit<Environment, 'id'>>,
  ) => void;
  /** Deleted ones included. */
  volumes: (portalId: string) => Volume[];
  backups: (portalId: string) => Backup[];
  changeBackup: (portalId: string, id: string, change: Partial<Omit<Backup, 'id'>>) => void;
  removeBackup: (portalId: string, id: string) => void;
  /**
   * Restores the initial data and timings and clears faults and requests. Addresses and tokens
   * stay.
   */
  reset: () => void;
  close: () => Promise<void>;
};

/** Starts the four portals with new tokens. Rejects, with nothing left open, if a port is taken. */
export async function startReferenceService(
  options: ReferenceServiceOptions = {},
): Promise<ReferenceService> {
  const { port = 0, dialect = 'documented', clock = systemClock, taskTimings = {} } = options;
  const now = options.now ?? clock();
  const requests: ReceivedRequest[] = [];
  const faults = createActiveFaults(clock);
  let timings = taskTimings;
  const served = dialect === 'live' ? createLiveDialect(options.without ?? []) : documentedDialect;
  const running = portalDefinitions.map((definition, index) =>
    createPortal(definition, {
      token: index === 0 ? options.token : undefined,
      now,
      clock,
      dialect: served,
      links: options.links ?? 'all',
      listsPolicies: options.listsPolicies ?? true,
      acceptsAnyPolicy: options.acceptsAnyPolicy ?? false,
      pageSize: options.pageSize ?? 20,
      userCount: options.users ?? defaultUserCount,
      volumeCount: options.volumes ?? defaultVolumeCount,
      taskTimings: () => timings,
    }),
  );
  const setTaskTimings = (next: TaskTimings) => {
    timings = next;
  };
  const reset = () => {
    for (const portal of running) portal.reset();
    faults.set(undefined);
    timings = taskTimings;
    requests.length = 0;
  };
  let onHandled: (request: ReceivedRequest) => void = () => {};
  const opened = await openAll(running, {
    port,
    faults,
    log: requests,
    onHandled: (request) => onHandled(request),
  });
  const admin = options.admin
    ? await startAdminServer({ faults, requests, setTaskTimings, reset })
    : undefined;

  const find = (portalId: string) => {
    const portal = running.find(({ definition }) => definition.id === portalId);
    if (!portal) throw new Error(`There is no portal "${portalId}".`);
    return portal;
  };
  const storeOf = (portalId: string) => {
    const portal = find(portalId);
    portal.state.tasks.settle();
    return portal.state.store;
  };

  return {
    dialect,
    portals: opened.map(describePortal),
    ...(admin ? { admin: admin.baseUrl } : {}),
    requests,
    setOnHandled(listener = () => {}) {
      onHandled = listener;
    },
    setFault: faults.set,
    addFault: faults.add,
    setTaskTimings,
    finishTasks() {
      for (const { state } of running) state.tasks.finish();
    },
    issueToken: (portalId, options = {}) => find(portalId).issueToken(options),
    revokeToken(portalId, token) {
      const { state } = find(portalId);
      state.grants = state.grants.filter((grant) => grant.token !== token);
    },
    user: (portalId, id) => structuredClone(storeOf(portalId).users.get(id)),
    users: (portalId) => structuredClone(storeOf(portalId).users.all()),
    changeUser: (portalId, id, change) => changeStored('user', storeOf(portalId).users, id, change),
    acceptInvitation: (portalId, id) => acceptInvitation(storeOf(portalId), id, clock()),
    setAutoProvisioning(portalId, isOn) {
      storeOf(portalId).isAutoProvisioned = isOn;
    },
    policies: (portalId) => structuredClone(storeOf(portalId).policies.all()),
    changePolicy: (portalId, id, change) =>
      changeStored('policy', storeOf(portalId).policies, id, change),
    removePolicy: (portalId, id) => storeOf(portalId).policies.remove(id),
    ignorePolicyFields(fields) {
      for (const { state } of running) state.store.ignoredPolicyFields = fields;
    },
    setCompliance: (portalId, policyId, statistics) =>
      void storeOf(portalId).complianceStatistics.set(policyId, statistics),
    alerts: (portalId) => structuredClone(storeOf(portalId).alerts.all()),
    putAlert(portalId, alert, organizationalUnitId = globalUnitId) {
      const { alerts } = storeOf(portalId);
      const resource = structuredClone(alert);
      if (alerts.get(alert.id)) alerts.replace(resource);
      else alerts.add({ organizationalUnitId, resource });
    },
    tasks: (portalId) => structuredClone(storeOf(portalId).tasks.all()),
    environments: (portalId) => structuredClone(storeOf(portalId).environments.all()),
    changeEnvironment: (portalId, id, change) =>
      changeStored('environment', storeOf(portalId).environments, id, change),
    volumes: (portalId) => structuredClone(storeOf(portalId).volumes.all()),
    backups: (portalId) => structuredClone(storeOf(portalId).backups.all()),
    changeBackup: (portalId, id, change) =>
      changeStored('backup', storeOf(portalId).backups, id, change),
    removeBackup: (portalId, id) => storeOf(portalId).backups.remove(id),
    reset,
    close: async () => {
      await Promise.all([closeAll(opened), admin?.close()]);
    },
  };
}

function changeStored<T extends { id: string }>(
  kind: string,
  collection: Collection<T>,
  id: string,
  change: Partial<Omit<T, 'id'>>,
): void {
  const resource = collection.get(id);
  if (!resource) throw new Error(`There is no ${kind} "${id}".`);
  collection.replace({ ...resource, ...structuredClone(change) });
}

type OpenPortal = PortalParts & { server: ListeningServer };

function describePortal({ definition, server, token, restrictedToken, state }: OpenPortal): Portal {
  const { id, label } = definition;
  const organizationalUnits = [...state.settings.organizationalUnits];
  return { id, label, baseUrl: server.baseUrl, token, restrictedToken, organizationalUnits };
}

type ServerOptions = Pick<PortalServerOptions, 'port' | 'faults' | 'log' | 'onHandled'>;

async function openAll(
  portals: readonly PortalParts[],
  { port, ...options }: ServerOptions,
): Promise<OpenPortal[]> {
  const opened: OpenPortal[] = [];
  try {
    for (const [index, portal] of portals.entries()) {
      const server = await startPortalServer({
        portalId: portal.definition.id,
        port: port === 0 ? 0 : port + index,
        state: portal.state,
        ...options,
      });
      opened.push({ ...portal, server });
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function closeAll(opened: readonly OpenPortal[]): Promise<void> {
  await Promise.all(opened.map(({ server }) => server.close()));
}
