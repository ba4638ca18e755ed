import { systemClock } from '../../src/clock.ts';
import type { LinkSet } from './call.ts';
import { createPortal, type PortalParts } from './create-portal.ts';
import { createFaults, type Fault, type FaultMatch, type Faults } from './faults.ts';
import { type PortalServer, startPortalServer } from './portal-server.ts';
import { portalDefinitions } from './portals.ts';
import type { ReceivedRequest } from './request-log.ts';
import type { Alert, OrganizationalUnit, Policy, User } from './resources.ts';
import { createStore } from './store.ts';

export type ReferenceServiceOptions = {
  /** The first of four consecutive ports; 0, the default, takes any four that are free. */
  port?: number;
  /** What the data is relative to; the moment of the start by default. */
  now?: Date;
  links?: LinkSet;
  /** Without it the list of policies, which the contract only implies, answers 404. */
  listsPolicies?: boolean;
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
  portals: readonly Portal[];
  /** Everything received since the start or the last reset, oldest first. */
  requests: readonly ReceivedRequest[];
  /** Puts one fault in force, in place of any other; undefined ends it. */
  setFault: (fault: Fault | undefined, match?: FaultMatch) => void;
  /** The service's own state, as copies, whatever unit owns it. */
  user: (portalId: string, id: string) => User | undefined;
  users: (portalId: string) => User[];
  policies: (portalId: string) => Policy[];
  alerts: (portalId: string) => Alert[];
  /** Back to the initial data, without fault or history; addresses and tokens stay. */
  reset: () => void;
  close: () => Promise<void>;
};

/** Starts the four portals with fresh tokens. Rejects, leaving nothing open, if a port is taken. */
export async function startReferenceService(
  options: ReferenceServiceOptions = {},
): Promise<ReferenceService> {
  const { port = 0, now = systemClock(), links = 'all', listsPolicies = true } = options;
  const requests: ReceivedRequest[] = [];
  const faults = createFaults();
  const running = portalDefinitions.map((definition) =>
    createPortal(definition, { now, links, listsPolicies }),
  );
  const opened = await openAll(running, { port, faults, log: requests });

  const storeOf = (portalId: string) => {
    const portal = running.find(({ definition }) => definition.id === portalId);
    if (!portal) throw new Error(`There is no portal "${portalId}".`);
    return portal.state.store;
  };
  const copies = <T>(collection: Map<string, { resource: T }>): T[] =>
    [...collection.values()].map(({ resource }) => structuredClone(resource));

  return {
    portals: opened.map(describePortal),
    requests,
    setFault: faults.set,
    user: (portalId, id) => structuredClone(storeOf(portalId).users.get(id)?.resource),
    users: (portalId) => copies(storeOf(portalId).users),
    policies: (portalId) => copies(storeOf(portalId).policies),
    alerts: (portalId) => copies(storeOf(portalId).alerts),
    reset() {
      for (const { definition, state } of running) state.store = createStore(definition, now);
      faults.set(undefined);
      requests.length = 0;
    },
    close: () => closeAll(opened),
  };
}

type OpenPortal = PortalParts & { server: PortalServer };

function describePortal({ definition, server, token, restrictedToken, state }: OpenPortal): Portal {
  const { id, label } = definition;
  const organizationalUnits = [...state.organizationalUnits];
  return { id, label, baseUrl: server.baseUrl, token, restrictedToken, organizationalUnits };
}

type ServerOptions = { port: number; faults: Faults; log: ReceivedRequest[] };

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
