import { randomUUID } from 'node:crypto';
import type { Region } from '../../../dataprotection/region.ts';
import type { TenantMarks } from '../../../dataprotection/tenant.ts';
import type { SetupChange } from '../../../workspace/setup-change.ts';
import type { StoredConnection } from '../../../workspace/store/configured-workspace.ts';
import type { ConnectionTarget } from '../../../workspace/workspace.ts';
import { requiresApproval, valuesInForce } from '../../setup/index.ts';
import { isSame } from '../file/canonical.ts';
import type { ConfiguredConnection, TokenReference, Workspace } from '../file/configuration.ts';
import type { ReadToken } from '../file/resolve-tokens.ts';
import { type StoredWorkspace, toSettings } from '../read-stored.ts';
import { compareItems, type ItemChange } from './compare-items.ts';

/** A change of the setup, as a form would make it, with the token that it brings. */
export type PlannedChange = {
  change: SetupChange;
  /** Of the connection that is added or replaced, or gets a new token. */
  token?: string | undefined;
  tenant?: TenantMarks | undefined;
};

/** What leads from a stored workspace to a wanted one. */
export type WorkspacePlan = {
  teamId: string;
  stored: StoredWorkspace;
  wanted: Workspace;
  /** Whether the workspace has no connection yet, so that nothing can be weakened. */
  isFirst: boolean;
  /** In the order in which they are saved. */
  changes: PlannedChange[];
  items: ItemChange[];
  /** Connections that need a token which isn't there. */
  missing: { connection: string; reference: TokenReference }[];
};

type PlanDependencies = { regions: Region[]; readToken: ReadToken };

export function planWorkspace(
  stored: StoredWorkspace,
  wanted: Workspace,
  dependencies: PlanDependencies,
): WorkspacePlan {
  const { teamId, connections } = stored.setup;
  const isFirst = connections.length === 0;
  const missing: WorkspacePlan['missing'] = [];
  const build = createBuilder(stored, wanted, { ...dependencies, missing });
  const wantedNames = new Set(wanted.connections.map(({ name }) => name.toLowerCase()));
  const changes = [
    ...build.settings(),
    ...wanted.connections.flatMap((one) => (findStored(stored, one) ? [] : build.added(one))),
    ...build.newDefault(),
    ...wanted.connections.flatMap((one) => build.edited(one)),
    ...connections
      .filter(({ name }) => !wantedNames.has(name.toLowerCase()))
      .map((one) => build.removed(one)),
  ];
  const items = compareItems(stored.items, wanted);
  return { teamId, stored, wanted, isFirst, changes, items, missing };
}

export function hasDifferences({ changes, items }: WorkspacePlan): boolean {
  return changes.length > 0 || items.length > 0;
}

/** Whether any of the changes could weaken a guard, and so requires a second person. */
export function isWeakening(plan: WorkspacePlan): boolean {
  const { isFirst, changes } = plan;
  return !isFirst && changes.some(({ change }) => requiresApproval(change));
}

function findStored(
  { setup }: StoredWorkspace,
  { name }: Pick<ConfiguredConnection, 'name'>,
): StoredConnection | undefined {
  return setup.connections.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

function createBuilder(
  stored: StoredWorkspace,
  wanted: Workspace,
  { regions, readToken, missing }: PlanDependencies & { missing: WorkspacePlan['missing'] },
) {
  const { settings: settingsBefore, connections, revision } = stored.setup;
  const settings = toSettings(wanted);
  const [defaultConnection] = connections;
  const common = (tokenOwner?: string | undefined) => ({
    changeId: randomUUID(),
    basedOn: revision,
    hasNewToken: false,
    tokenOwnerBefore: tokenOwner,
    tokenOwnerAfter: tokenOwner,
  });
  const origins = new Map(connections.map((one) => [one.name.toLowerCase(), one.originId]));
  const inForce = (connection: StoredConnection) => valuesInForce(connection, settings, regions);
  const take = ({ name, token }: ConfiguredConnection, kept?: string | undefined) => {
    const found = readToken(token) ?? kept;
    if (found === undefined) missing.push({ connection: name, reference: token });
    return found;
  };
  const ofWanted = ({ region, organizationalUnit }: ConfiguredConnection) =>
    valuesInForce(
      { regionId: region, organizationalUnitId: organizationalUnit },
      settings,
      regions,
    );

  return {
    /** First, because the others depend on the changed settings. */
    settings(): PlannedChange[] {
      const { workspace } = stored;
      const isUnchanged = (['settings', 'roles', 'rules', 'protectedUsers'] as const).every(
        (section) => isSame(workspace[section], wanted[section]),
      );
      if (isUnchanged || !defaultConnection) return [];
      const before = valuesInForce(defaultConnection, settingsBefore, regions);
      const { tokenOwner } = defaultConnection;
      return [{ change: { ...common(tokenOwner), before, after: inForce(defaultConnection) } }];
    },

    added(connection: ConfiguredConnection): PlannedChange[] {
      const id = randomUUID();
      origins.set(connection.name.toLowerCase(), id);
      const token = take(connection);
      const target: ConnectionTarget = { kind: 'add', originId: id, name: connection.name };
      const values = ofWanted(connection);
      const { tokenOwner: tokenOwnerAfter } = connection;
      const ids = { target, connectionId: id, hasNewToken: true, tokenOwnerAfter };
      return [{ change: { ...common(), ...ids, before: values, after: values }, token }];
    },

    newDefault(): PlannedChange[] {
      const name = wanted.connections.find((one) => one.default)?.name ?? '';
      if (!defaultConnection || defaultConnection.name.toLowerCase() === name.toLowerCase())
        return [];
      return [{ change: { ...common(), ...makeDefault(name, defaultConnection) } }];
    },

    edited(connection: ConfiguredConnection): PlannedChange[] {
      const current = findStored(stored, connection);
      if (!current) return [];
      const isSameRegion = current.regionId === connection.region;
      const isSamePlace =
        isSameRegion && current.organizationalUnitId === connection.organizationalUnit;
      const given = isSamePlace ? readToken(connection.token) : undefined;
      const isNewToken = given !== undefined && given !== current.token;
      // A stored token is never sent to another region: it would be disclosed to a third party.
      const token = isSamePlace
        ? given
        : take(connection, isSameRegion ? current.token : undefined);
      const { tokenOwner } = current;
      const isOtherOwner = tokenOwner !== connection.tokenOwner;
      const isRenamed = current.name !== connection.name;
      if (isSamePlace && !isNewToken && !isOtherOwner && !isRenamed) return [];
      const change: SetupChange = {
        ...common(tokenOwner),
        before: inForce(current),
        after: ofWanted(connection),
        tokenOwnerAfter: connection.tokenOwner,
        target: {
          kind: 'edit',
          originId: current.originId,
          name: connection.name,
          ...(isRenamed && { nameBefore: current.name }),
        },
        ...((isNewToken || !isSamePlace) && { connectionId: randomUUID() }),
        hasNewToken: isNewToken || (!isSamePlace && token !== current.token),
      };
      return [{ change, ...((isNewToken || !isSamePlace) && { token }) }];
    },

    removed(connection: StoredConnection): PlannedChange {
      const { originId, name, tokenOwner } = connection;
      const target: ConnectionTarget = { kind: 'remove', originId, name };
      const values = inForce(connection);
      return { change: { ...common(tokenOwner), target, before: values, after: values } };
    },
  };

  function makeDefault(name: string, before: StoredConnection) {
    const values = inForce(before);
    const originId = origins.get(name.toLowerCase()) ?? '';
    const target: ConnectionTarget = {
      kind: 'make_default',
      originId,
      name,
      nameBefore: before.name,
    };
    return { target, before: values, after: values };
  }
}
