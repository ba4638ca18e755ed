import type { Database } from '../../../database/tables.ts';
import type { ApprovalRef } from '../../../requests/approval.ts';
import type { ActionEntries } from '../../../requests/define-action.ts';
import {
  type DescribedRequest,
  describeRequests,
} from '../../../requests/store/describe-requests.ts';
import { isUserGroup } from '../../../workspace/members.ts';
import { maxDigestsPerChannel } from '../../digests/index.ts';
import { maxNamedGroups } from '../../setup/index.ts';
import { maxWatchesPerChannel } from '../../watches/index.ts';
import { canonical } from '../file/canonical.ts';
import {
  type Item,
  itemSections,
  listItems,
  type PartialWorkspace,
  type Workspace,
} from '../file/configuration.ts';
import { ConfigurationError, type ParsedFile } from '../file/parse-configuration.ts';
import type { ReadToken } from '../file/resolve-tokens.ts';
import { readStored } from '../read-stored.ts';
import {
  type AppliedBy,
  type SaveDependencies,
  saveConfiguration,
} from '../save/save-configuration.ts';
import { type CheckedPlan, checkService, type ServiceChecks } from './check-service.ts';
import { checkSlack, type OpenSlack } from './check-slack.ts';
import { identityOf } from './compare-items.ts';
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
  const spelled = <Placed extends { connection: string }>(
    section: Item['section'],
    items: Placed[],
  ) =>
    items.map((item, index): Placed => {
      const connection = names.get(item.connection.toLowerCase());
      if (connection !== undefined) return { ...item, connection };
      const isKept = given[section] === undefined;
      const problem = isKept
        ? 'the file removes a connection that this section uses: add the section to the file, without the items on that connection'
        : 'no connection of the workspace has this name';
      return fail([section, ...(isKept ? [] : [index, 'connection'])], problem);
    });
  const placed = {
    ...wanted,
    channels: spelled('channels', wanted.channels),
    alertWatches: spelled('alertWatches', wanted.alertWatches),
    complianceWatches: spelled('complianceWatches', wanted.complianceWatches),
    policyWatches: spelled('policyWatches', wanted.policyWatches),
    digests: spelled('digests', wanted.digests),
  };
  checkItems(placed, fail);
  return canonical(placed);
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

function checkItems(workspace: Workspace, fail: Fail): void {
  const items = listItems(workspace);
  for (const section of itemSections) {
    const seen = new Set<string>();
    items
      .filter((item) => item.section === section)
      .forEach((item, index) => {
        const identity = identityOf(item);
        if (section !== 'digests' && seen.has(identity))
          fail([section, index], 'duplicates an earlier entry');
        seen.add(identity);
      });
  }
  for (const inChannel of Map.groupBy(items, ({ value }) => value.channel).values()) {
    const digests = inChannel.filter(({ section }) => section === 'digests').length;
    const others = inChannel.filter(({ section }) => section === 'channels').length;
    const channel = inChannel[0]?.value.channel;
    if (digests > maxDigestsPerChannel)
      fail(['digests'], `${channel} has more than ${maxDigestsPerChannel} digests`);
    if (inChannel.length - digests - others > maxWatchesPerChannel)
      fail(['alertWatches'], `${channel} has more than ${maxWatchesPerChannel} watches`);
  }
}

function withoutUndefined(given: PartialWorkspace): Partial<Workspace> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
