import type { Clock } from '../../../src/clock.ts';
import { createStore } from '../data/store.ts';
import type { ServedDialect } from '../dialect.ts';
import { createTaskRunner, type TaskTimings } from '../tasks.ts';
import { createToken, type Grant } from './authorize.ts';
import type { PortalState } from './handle-request.ts';
import {
  globalUnitId,
  organizationalUnitsOf,
  type PortalDefinition,
} from './portal-definitions.ts';
import type { LinkSet } from './request-context.ts';

type PortalOptions = {
  /** The token, instead of a new one. */
  token?: string | undefined;
  now: Date;
  clock: Clock;
  dialect: ServedDialect;
  links: LinkSet;
  listsPolicies: boolean;
  acceptsAnyPolicy: boolean;
  pageSize: number;
  userCount: number;
  volumeCount: number;
  taskTimings: () => TaskTimings;
};

export type TokenOptions = {
  /** In a year by default. */
  expiresAt?: Date;
  /** The token's own unit and the only one that it has access to, instead of all units. */
  unitId?: string;
};

export type PortalParts = {
  definition: PortalDefinition;
  token: string;
  restrictedToken: string;
  issueToken: (options: TokenOptions) => string;
  /** Passed to the handlers of requests. */
  state: PortalState;
  /** Restores the initial data. */
  reset: () => void;
};

/** A portal with its initial data and two new tokens, not listening yet. */
export function createPortal(definition: PortalDefinition, options: PortalOptions): PortalParts {
  const { now, clock, dialect, links, listsPolicies, acceptsAnyPolicy, pageSize } = options;
  const organizationalUnits = organizationalUnitsOf(definition);
  const token = options.token ?? createToken(definition.id, now);
  const restrictedToken = createToken(definition.id, now);
  const grantAll = (granted: string): Grant => ({
    token: granted,
    defaultUnitId: globalUnitId,
    unitIds: organizationalUnits.map(({ id }) => id),
  });
  const grants = [
    grantAll(token),
    { token: restrictedToken, defaultUnitId: globalUnitId, unitIds: [globalUnitId] },
  ];
  const settings = { organizationalUnits, links, listsPolicies, acceptsAnyPolicy, pageSize };
  const state: PortalState = {
    dialect,
    grants,
    settings,
    clock,
    ...createData(definition, options),
  };
  return {
    definition,
    token,
    restrictedToken,
    issueToken({ expiresAt, unitId }) {
      const issued = createToken(definition.id, clock(), expiresAt);
      const inUnit = unitId && { token: issued, defaultUnitId: unitId, unitIds: [unitId] };
      state.grants = [...state.grants, inUnit || grantAll(issued)];
      return issued;
    },
    state,
    reset: () => void Object.assign(state, createData(definition, options)),
  };
}

function createData(definition: PortalDefinition, options: PortalOptions) {
  const { now, userCount, volumeCount, dialect, taskTimings, clock } = options;
  const { seedPolicy } = dialect;
  const store = createStore(definition, { now, userCount, volumeCount, seedPolicy });
  return { store, tasks: createTaskRunner({ tasks: store.tasks, timings: taskTimings, clock }) };
}
