import type { Database } from '../../../database/tables.ts';
import {
  type ActionEntries,
  type ApprovalRef,
  type DescribedRequest,
  describeRequests,
} from '../../approvals/index.ts';
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
import { toSavable } from './compose-change.ts';
import { planWorkspace } from './plan-workspace.ts';
import { resolveWorkspace } from './resolve-workspace.ts';

export type PrepareDependencies = SaveDependencies & {
  checks: ServiceChecks;
  readToken: ReadToken;
  newId: () => string;
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
  { db, cipher, checks, readToken, newId, isInstalled, openSlack }: PrepareDependencies,
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
    const plan = planWorkspace(stored, wanted, { regions: checks.regions, readToken, newId });
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
  dependencies: SaveDependencies & Pick<PrepareDependencies, 'newId'> & { actions: ActionEntries },
): Promise<Map<string, DescribedRequest[]>> {
  const found = new Map<string, DescribedRequest[]>();
  const { newId } = dependencies;
  try {
    await saveConfiguration(
      plans.map((plan) => toSavable(withPlaceholders(plan), newId)),
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
