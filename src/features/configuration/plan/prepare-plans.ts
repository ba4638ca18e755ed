import type { Database } from '../../../database/tables.ts';
import type { ApprovalRef } from '../../../requests/approval.ts';
import type { ActionEntries } from '../../../requests/define-action.ts';
import {
  type DescribedRequest,
  describeRequests,
} from '../../../requests/store/describe-requests.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import { maxSavedFilters } from '../../alerts/index.ts';
import { maxDigestsPerChannel } from '../../digests/index.ts';
import { maxNamedGroups } from '../../setup/index.ts';
import { maxMutesPerChannel, maxWatchesPerChannel } from '../../watches/index.ts';
import { canonical } from '../file/canonical.ts';
import { itemsOf, type PartialWorkspace, type Workspace } from '../file/configuration.ts';
import { ConfigurationError, type ParsedFile } from '../file/parse-configuration.ts';
import type { ReadToken } from '../file/resolve-tokens.ts';
import { readStored } from '../read-stored.ts';
import {
  type AppliedBy,
  type SaveDependencies,
  saveConfiguration,
} from '../save/save-configuration.ts';
import type { Item } from '../sections/define-section.ts';
import { sections } from '../sections/sections.ts';
import { type CheckedPlan, checkService, type ServiceChecks } from './check-service.ts';
import { checkSlack, type OpenSlack } from './check-slack.ts';
import { toSavable } from './compose-change.ts';
import { planWorkspace } from './plan-workspace.ts';

export type PrepareDependencies = SaveDependencies & {
  checks: ServiceChecks;
  readToken: ReadToken;
  /** Whether Belay is installed in the workspace, or could be: it needs no record of that everywhere. */
  isInstalled: (teamId: string) => Promise<boolean>;
  openSlack: OpenSlack;
};

/**
 * What leads from the stored workspaces to those of the file, tried on the service. With a team, of
 * that workspace only.
 * @throws {ConfigurationError} if the file doesn't fit what is stored
 */
export async function preparePlans(
  { workspaces, errorAt }: ParsedFile,
  teamId: string | undefined,
  { db, cipher, checks, readToken, isInstalled, openSlack }: PrepareDependencies,
): Promise<CheckedPlan[]> {
  if (teamId !== undefined && !workspaces.has(teamId)) {
    throw new ConfigurationError(`The file has no workspace ${teamId}.`);
  }
  const plans: CheckedPlan[] = [];
  for (const [id, given] of workspaces) {
    if (teamId !== undefined && id !== teamId) continue;
    if (!(await isInstalled(id))) {
      throw errorAt(
        ['workspaces', id],
        "Belay isn't installed in this workspace; install Belay there first, or choose another with --team",
      );
    }
    const stored = await read(db, id, { cipher });
    const wanted = resolveWorkspace(given, stored.workspace, (path, problem) =>
      errorAt(['workspaces', id, ...path], problem),
    );
    const plan = planWorkspace(stored, wanted, { regions: checks.regions, readToken });
    const checked = await checkService(plan, checks);
    const { problems, notes } = await checkSlack(plan, openSlack);
    plans.push({ ...checked, notes, problems: [...checked.problems, ...problems] });
  }
  return plans;
}

function read(db: Database, teamId: string, { cipher }: Pick<SaveDependencies, 'cipher'>) {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => readStored(trx, teamId, cipher));
}

/**
 * The requests that saving the plans would make void, found by saving them and rolling everything back.
 * What is missing for a save, such as a token, doesn't matter here.
 */
export async function previewVoided(
  plans: CheckedPlan[],
  applied: AppliedBy,
  dependencies: SaveDependencies & { actions: ActionEntries },
): Promise<Map<string, DescribedRequest[]>> {
  const found = new Map<string, DescribedRequest[]>();
  try {
    await saveConfiguration(
      plans.map((plan) => toSavable(withPlaceholders(plan))),
      applied,
      dependencies,
      async (trx, voided) => {
        for (const [teamId, refs] of Map.groupBy(voided, (ref: ApprovalRef) => ref.teamId)) {
          found.set(teamId, await describeRequests(trx, dependencies.actions, refs));
        }
        throw new RolledBack();
      },
    );
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return found;
}

class RolledBack extends Error {}

const emptyAnchor = { highWater: undefined, alertId: undefined, known: [] };

function withPlaceholders(plan: CheckedPlan): CheckedPlan {
  const names = plan.wanted.connections.map(({ name }) => name.toLowerCase());
  return {
    ...plan,
    changes: plan.changes.map((one) => ({ ...one, token: one.token ?? 'missing' })),
    anchors: new Map(names.map((name) => [name, plan.anchors.get(name) ?? emptyAnchor])),
  };
}

type ErrorAt = (path: PropertyKey[], problem: string) => ConfigurationError;

/**
 * What a workspace is to be: the sections of the file, and the stored ones that the file leaves out.
 * @throws {ConfigurationError} if the sections don't fit each other
 */
export function resolveWorkspace(
  given: PartialWorkspace,
  stored: Workspace,
  errorAt: ErrorAt,
): Workspace {
  const fail = (path: PropertyKey[], problem: string) => {
    throw errorAt(path, problem);
  };
  const wanted = { ...stored, ...withoutUndefined(given) };
  if (wanted.connections.length === 0)
    fail([], 'connections are required, because the workspace has none yet');
  checkConnections(wanted, fail);
  const named = [
    ...wanted.settings.approvers,
    ...Object.values(wanted.roles).flat(),
    ...Object.values(wanted.rules).flatMap((rule) => [
      ...rule.requesters,
      ...rule.approvals.flatMap(({ from }) => from),
      ...rule.breakGlass,
    ]),
  ];
  if (new Set(named.filter(isUserGroup)).size > maxNamedGroups)
    fail(['roles'], `roles and rules name more than ${maxNamedGroups} user groups`);

  const names = new Map(wanted.connections.map(({ name }) => [name.toLowerCase(), name]));
  const items = sections.flatMap((section) => {
    const inFile = given[section.name];
    return (inFile ?? itemsOf(section, stored.items)).map((item, index): Item => {
      if (item.value.connection === undefined) return item;
      const connection = names.get(item.value.connection.toLowerCase());
      if (connection !== undefined) return item.spelled(connection);
      const problem = inFile
        ? 'no connection of the workspace has this name'
        : 'the file removes a connection that this section uses: add the section to the file, without the items on that connection';
      return fail([section.name, ...(inFile ? [index, 'connection'] : [])], problem);
    });
  });
  checkItems(items, fail);
  return canonical({ ...wanted, items });
}

type Fail = (path: PropertyKey[], problem: string) => never;

function checkConnections({ connections }: Workspace, fail: Fail): void {
  const seen = new Set<string>();
  connections.forEach(({ name }, index) => {
    if (seen.has(name.toLowerCase()))
      fail(['connections', index, 'name'], 'another connection has this name');
    seen.add(name.toLowerCase());
  });
  const defaults = connections.filter((one) => one.default);
  if (defaults.length > 1 || (defaults.length === 0 && connections.length > 1))
    fail(['connections'], 'exactly one connection must have default: true');
}

const maxPerChannel = {
  digests: maxDigestsPerChannel,
  watches: maxWatchesPerChannel,
  mutes: maxMutesPerChannel,
  'saved filters': maxSavedFilters,
};

function checkItems(items: Item[], fail: Fail): void {
  for (const [{ name, canRepeat }, inSection] of Map.groupBy(items, ({ section }) => section)) {
    const seen = new Set<string>();
    inSection.forEach((item, index) => {
      // Two filters with the same values in another order are one.
      const { identity } = item.canonical();
      if (!canRepeat && seen.has(identity)) fail([name, index], 'duplicates an earlier entry');
      seen.add(identity);
    });
  }
  for (const [channel, inChannel] of Map.groupBy(items, ({ value }) => value.channel)) {
    for (const [family, max] of Object.entries(maxPerChannel)) {
      const first = sections.find((section) => section.family === family);
      if (inChannel.filter(({ section }) => section.family === family).length > max)
        fail([first?.name ?? family], `${channel} has more than ${max} ${family}`);
    }
  }
}

function withoutUndefined(given: PartialWorkspace): Partial<Workspace> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
