import { randomUUID } from 'node:crypto';
import type { TenantMarks } from '../../../dataprotection/tenant.ts';
import type { SetupChange } from '../../../workspace/setup-change.ts';
import type { StoredConnection } from '../../../workspace/store/configured-workspace.ts';
import type { ConnectionTarget } from '../../../workspace/workspace.ts';
import { requiresApproval, settingsChange, valuesInForce } from '../../setup/index.ts';
import type { ConfigurationContext } from '../configuration-context.ts';
import { isSame } from '../file/canonical.ts';
import type { ConfiguredConnection, TokenReference, Workspace } from '../file/configuration.ts';
import { type StoredWorkspace, toSettings } from '../read-stored.ts';
import type { Item, StoredItem } from '../sections/define-section.ts';

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

export function planWorkspace(
  stored: StoredWorkspace,
  wanted: Workspace,
  context: ConfigurationContext,
): WorkspacePlan {
  const { teamId, connections } = stored.setup;
  const isFirst = connections.length === 0;
  const missing: WorkspacePlan['missing'] = [];
  const build = createBuilder(stored, wanted, context, missing);
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
  { regions, readToken }: ConfigurationContext,
  missing: WorkspacePlan['missing'],
) {
  const { connections, revision } = stored.setup;
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
      return [{ change: settingsChange(defaultConnection, stored.setup, settings, { regions }) }];
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
      const values = inForce(defaultConnection);
      const target: ConnectionTarget = {
        kind: 'make_default',
        originId: origins.get(name.toLowerCase()) ?? '',
        name,
        nameBefore: defaultConnection.name,
      };
      return [{ change: { ...common(), target, before: values, after: values } }];
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
      const { originId, name } = connection;
      const change = settingsChange(connection, { revision, settings }, settings, { regions });
      return { change: { ...change, target: { kind: 'remove', originId, name } } };
    },
  };
}

/** What becomes of an item. */
export type ItemChange =
  | { kind: 'add'; after: Item }
  /** Both in the same section. */
  | { kind: 'change'; before: StoredItem; after: Item }
  | { kind: 'remove'; before: StoredItem };

/** The changes that lead from the stored items to the wanted ones, both in canonical form. */
export function compareItems(stored: StoredItem[], wanted: Workspace): ItemChange[] {
  // A connection whose name only changes its case is still the same one.
  const names = new Map(wanted.connections.map(({ name }) => [name.toLowerCase(), name]));
  const unmatched = takers(stored, (item) => {
    const { connection } = item.value;
    if (connection === undefined) return item.text;
    return item.spelled(names.get(connection.toLowerCase()) ?? connection).text;
  });
  const changed = wanted.items.filter(({ text }) => !unmatched.take(text));
  const rest = takers(unmatched.rest(), ({ identity }) => identity);
  const changes = changed.map((after): ItemChange => {
    const before = rest.take(after.identity);
    return before ? { kind: 'change', before, after } : { kind: 'add', after };
  });
  const removed = rest.rest().map((before): ItemChange => ({ kind: 'remove', before }));
  return [...removed, ...changes];
}

/** Each of the items can be taken once, by its key. */
function takers(items: StoredItem[], keyOf: (item: StoredItem) => string) {
  const byKey = Map.groupBy(items, keyOf);
  return {
    take: (key: string): StoredItem | undefined => byKey.get(key)?.shift(),
    rest: (): StoredItem[] => [...byKey.values()].flat(),
  };
}
