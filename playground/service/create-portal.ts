import type { PortalState } from './answer-request.ts';
import type { LinkSet } from './call.ts';
import type { PortalDefinition } from './portals.ts';
import { createStore, globalUnitId, organizationalUnitsOf } from './store.ts';
import { createToken } from './tokens.ts';

export type PortalOptions = { now: Date; links: LinkSet; listsPolicies: boolean };

export type PortalParts = {
  definition: PortalDefinition;
  token: string;
  restrictedToken: string;
  /** What requests are answered from; a reset puts a new store into it. */
  state: PortalState;
};

/** A portal with its initial data and two fresh tokens, not yet reachable. */
export function createPortal(definition: PortalDefinition, options: PortalOptions): PortalParts {
  const { now, links, listsPolicies } = options;
  const organizationalUnits = organizationalUnitsOf(definition);
  const token = createToken(definition.id, now);
  const restrictedToken = createToken(definition.id, now);
  const grants = [
    { token, defaultUnitId: globalUnitId, unitIds: organizationalUnits.map(({ id }) => id) },
    { token: restrictedToken, defaultUnitId: globalUnitId, unitIds: [globalUnitId] },
  ];
  const store = createStore(definition, now);
  const state = { store, grants, organizationalUnits, links, listsPolicies };
  return { definition, token, restrictedToken, state };
}
