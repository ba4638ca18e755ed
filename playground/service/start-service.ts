import { type Clock, systemClock } from '../../src/clock.ts';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import { startAdminServer } from './admin-server.ts';
import { defaultUserCount } from './data/users.ts';
import { documentedDialect } from './documented/documented-dialect.ts';
import { createFaultBoard, type FaultBoard } from './faults/active-faults.ts';
import type { Fault, FaultMatch } from './faults/fault.ts';
import type { ListeningServer } from './http/listen.ts';
import { createLiveDialect } from './live/live-dialect.ts';
import { createPortal, type PortalParts } from './portal/create-portal.ts';
import { globalUnitId, portalDefinitions } from './portal/portal-definitions.ts';
import { type ReceivedRequest, startPortalServer } from './portal/portal-server.ts';
import type { LinkSet } from './portal/request-context.ts';
import type { Alert, OrganizationalUnit, Policy, Task, User } from './resources.ts';
import type { TaskTimings } from './tasks.ts';

export type ReferenceServiceOptions = {
  /** Which dialect of the interface all portals speak. */
  dialect?: Dialect;
  /** The first of four consecutive ports; 0, the default, takes any four that are free. */
  port?: number;
  /** What the data is relative to; the moment of the start by default. */
  now?: Date;
  /** By which tasks go on, changes are dated and rates are limited. */
  clock?: Clock;
  links?: LinkSet;
  /** Without it the list of policies, which the contract only implies, answers 404. */
  listsPolicies?: boolean;
  /** Operations, by the ids of discovery, that the service does not have; the live dialect only. */
  without?: readonly string[];
  /** People in each portal. */
  users?: number;
  /** Items a page where the request does not say. */
  pageSize?: number;
  taskTimings?: TaskTimings;
  /** The first portal's token, in place of a fresh one. */
  token?: string;
  /** Whether faults can be had from outside the process too. */
  admin?: boolean;
};

export type Portal = {
  id: string;
  label: string;
  baseUrl: string;
  /** May work in every unit; its default is the global one. */
  token: string;
  /** May work in the global unit only. */
  restrictedToken: string;
  organizationalUnits: OrganizationalUnit[];
};

export type ReferenceService = {
  dialect: Dialect;
  portals: readonly Portal[];
  /** The base URL of the admin endpoints, if there are any. */
  admin?: string;
  /** Everything received since the start or the last reset, oldest first. */
  requests: readonly ReceivedRequest[];
  /** Puts one fault in force, in place of all others; undefined ends all. */
  setFault: (fault: Fault | undefined, match?: FaultMatch) => void;
  /** Puts a fault in force beside the others; of those that match, the oldest strikes. */
  addFault: (fault: Fault, match?: FaultMatch) => void;
  /** For tasks that start from now on. */
  setTaskTimings: (pace: TaskTimings) => void;
  /** The service's own state, as copies, whatever unit owns it. */
  user: (portalId: string, id: string) => User | undefined;
  users: (portalId: string) => User[];
  /** Changes a user behind everybody's back, in fields too that no request can change. */
  changeUser: (portalId: string, id: string, change: Partial<Omit<User, 'id'>>) => void;
  policies: (portalId: string) => Policy[];
  alerts: (portalId: string) => Alert[];
  /**
   * Raises an alert in the unit, the global one unless another is named, or puts a changed one in
   * the place of the one with its id.
   */
  putAlert: (portalId: string, alert: Alert, organizationalUnitId?: string) => void;
  tasks: (portalId: string) => Task[];
  /** Back to the initial data and pace, without fault or history; addresses and tokens stay. */
  reset: () => void;
  close: () => Promise<void>;
};

/** Starts the four portals with fresh tokens. Rejects, leaving nothing open, if a port is taken. */
export async function startReferenceService(
  options: ReferenceServiceOptions = {},
): Promise<ReferenceService> {
  const { port = 0, dialect = 'documented', clock = systemClock, taskTimings = {} } = options;
  const now = options.now ?? clock();
  const requests: ReceivedRequest[] = [];
  const faults = createFaultBoard(clock);
  let pace = taskTimings;
  const served = dialect === 'live' ? createLiveDialect(options.without ?? []) : documentedDialect;
  const running = portalDefinitions.map((definition, index) =>
    createPortal(definition, {
      token: index === 0 ? options.token : undefined,
      now,
      clock,
      dialect: served,
      links: options.links ?? 'all',
      listsPolicies: options.listsPolicies ?? true,
      pageSize: options.pageSize ?? 20,
      userCount: options.users ?? defaultUserCount,
      taskTimings: () => pace,
    }),
  );
  const setTaskTimings = (next: TaskTimings) => {
    pace = next;
  };
  const reset = () => {
    for (const portal of running) portal.reset();
    faults.set(undefined);
    pace = taskTimings;
    requests.length = 0;
  };
  const opened = await openAll(running, { port, faults, log: requests });
  const admin = options.admin
    ? await startAdminServer({ faults, requests, setTaskTimings, reset })
    : undefined;

  const storeOf = (portalId: string) => {
    const portal = running.find(({ definition }) => definition.id === portalId);
    if (!portal) throw new Error(`There is no portal "${portalId}".`);
    portal.state.tasks.settle();
    return portal.state.store;
  };

  return {
    dialect,
    portals: opened.map(describePortal),
    ...(admin ? { admin: admin.baseUrl } : {}),
    requests,
    setFault: faults.set,
    addFault: faults.add,
    setTaskTimings,
    user: (portalId, id) => structuredClone(storeOf(portalId).users.get(id)),
    users: (portalId) => structuredClone(storeOf(portalId).users.all()),
    changeUser(portalId, id, change) {
      const { users } = storeOf(portalId);
      const user = users.get(id);
      if (!user) throw new Error(`There is no user "${id}".`);
      users.replace({ ...user, ...change });
    },
    policies: (portalId) => structuredClone(storeOf(portalId).policies.all()),
    alerts: (portalId) => structuredClone(storeOf(portalId).alerts.all()),
    putAlert(portalId, alert, organizationalUnitId = globalUnitId) {
      const { alerts } = storeOf(portalId);
      const resource = structuredClone(alert);
      if (alerts.get(alert.id)) alerts.replace(resource);
      else alerts.add({ organizationalUnitId, resource });
    },
    tasks: (portalId) => structuredClone(storeOf(portalId).tasks.all()),
    reset,
    close: async () => {
      await Promise.all([closeAll(opened), admin?.close()]);
    },
  };
}

type OpenPortal = PortalParts & { server: ListeningServer };

function describePortal({ definition, server, token, restrictedToken, state }: OpenPortal): Portal {
  const { id, label } = definition;
  const organizationalUnits = [...state.settings.organizationalUnits];
  return { id, label, baseUrl: server.baseUrl, token, restrictedToken, organizationalUnits };
}

type ServerOptions = { port: number; faults: FaultBoard; log: ReceivedRequest[] };

async function openAll(
  portals: readonly PortalParts[],
  { port, faults, log }: ServerOptions,
): Promise<OpenPortal[]> {
  const opened: OpenPortal[] = [];
  try {
    for (const [index, portal] of portals.entries()) {
      const server = await startPortalServer({
        portalId: portal.definition.id,
        port: port === 0 ? 0 : port + index,
        state: portal.state,
        faults,
        log,
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
