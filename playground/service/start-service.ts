import { systemClock } from '../../src/clock.ts';
import type { PortalState } from './answer-request.ts';
import type { LinkSet } from './call.ts';
import { createFaults, type Fault, type FaultMatch } from './faults.ts';
import { type PortalServer, startPortalServer } from './portal-server.ts';
import { type PortalDefinition, portalDefinitions } from './portals.ts';
import type { ReceivedRequest } from './request-log.ts';
import type { Alert, OrganizationalUnit, Policy, User } from './resources.ts';
import { createStore, globalUnitId, organizationalUnitsOf } from './store.ts';
import { createToken } from './tokens.ts';

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
  const servers: PortalServer[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };

  const running = portalDefinitions.map((definition) => ({
    definition,
    ...createCredentials(definition, now),
    store: createStore(definition, now),
  }));
  const portals: Portal[] = [];
  try {
    for (const [index, portal] of running.entries()) {
      const { definition, grants, organizationalUnits, token, restrictedToken } = portal;
      const state = (): PortalState => ({
        ...{ store: portal.store, grants, organizationalUnits, links, listsPolicies },
      });
      const server = await startPortalServer({
        ...{ portalId: definition.id, state, faults, log: requests },
        port: port === 0 ? 0 : port + index,
      });
      servers.push(server);
      const { id, label } = definition;
      const { baseUrl } = server;
      portals.push({ id, label, baseUrl, token, restrictedToken, organizationalUnits });
    }
  } catch (error) {
    await close();
    throw error;
  }

  const storeOf = (portalId: string) => {
    const portal = running.find(({ definition }) => definition.id === portalId);
    if (!portal) throw new Error(`There is no portal "${portalId}".`);
    return portal.store;
  };
  const copies = <T>(collection: Map<string, { resource: T }>): T[] =>
    [...collection.values()].map(({ resource }) => structuredClone(resource));

  return {
    portals,
    requests,
    setFault: faults.set,
    user: (portalId, id) => structuredClone(storeOf(portalId).users.get(id)?.resource),
    users: (portalId) => copies(storeOf(portalId).users),
    policies: (portalId) => copies(storeOf(portalId).policies),
    alerts: (portalId) => copies(storeOf(portalId).alerts),
    reset() {
      for (const portal of running) portal.store = createStore(portal.definition, now);
      faults.set(undefined);
      requests.length = 0;
    },
    close,
  };
}

function createCredentials(definition: PortalDefinition, now: Date) {
  const organizationalUnits = organizationalUnitsOf(definition);
  const token = createToken(definition.id, now);
  const restrictedToken = createToken(definition.id, now);
  const grants = [
    { token, defaultUnitId: globalUnitId, unitIds: organizationalUnits.map(({ id }) => id) },
    { token: restrictedToken, defaultUnitId: globalUnitId, unitIds: [globalUnitId] },
  ];
  return { organizationalUnits, token, restrictedToken, grants };
}
