import { setupChangeAction } from '../../audit-log/registry.ts';
import { type DescribedRequest, describeRequests } from '../../requests/store/describe-requests.ts';
import { SetupChangedError } from '../../workspace/open-settings.ts';
import { approvableActions } from '../actions/index.ts';
import { mayStoreData } from '../installations/index.ts';
import type { ConfigurationContext } from './configuration-context.ts';
import { ConfigurationError, type ParsedFile } from './file/parse-configuration.ts';
import { describeReference } from './file/resolve-tokens.ts';
import { type CheckedPlan, checkService } from './plan/check-service.ts';
import { checkSlack } from './plan/check-slack.ts';
import { hasDifferences, isWeakening, planWorkspace } from './plan/plan-workspace.ts';
import { resolveWorkspace } from './plan/resolve-workspace.ts';
import { toSavable } from './plan/stored-plan.ts';
import { readStored } from './read-stored.ts';
import { type AppliedBy, saveConfiguration } from './save/save-configuration.ts';

/** What applying a file would change, and the requests that would be void, by workspace. */
export type FilePlan = { plans: CheckedPlan[]; voided: Map<string, DescribedRequest[]> };

/**
 * What leads from the stored workspaces to those of the file, tried on the service. With a team, of
 * that workspace only.
 * @throws {ConfigurationError} if the file doesn't fit what is stored
 */
export async function planFile(
  { workspaces, errorAt }: ParsedFile,
  { teamId, at }: { teamId: string | undefined; at: Date },
  context: ConfigurationContext,
): Promise<FilePlan> {
  const { db, cipher } = context;
  if (teamId !== undefined && !workspaces.has(teamId)) {
    throw new ConfigurationError(`The file has no workspace ${teamId}.`);
  }
  const plans: CheckedPlan[] = [];
  for (const [id, given] of workspaces) {
    if (teamId !== undefined && id !== teamId) continue;
    if (!(await mayStoreData(db, id))) {
      throw errorAt(
        ['workspaces', id],
        "Belay isn't installed in this workspace; install Belay there first, or choose another with --team",
      );
    }
    const stored = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => readStored(trx, id, cipher));
    const wanted = resolveWorkspace(given, stored.workspace, (path, problem) =>
      errorAt(['workspaces', id, ...path], problem),
    );
    const checked = await checkService(planWorkspace(stored, wanted, context), context);
    const { problems, notes } = await checkSlack(checked, context);
    plans.push({ ...checked, notes, problems: [...checked.problems, ...problems] });
  }
  return { plans, voided: await previewVoided(plans.filter(hasDifferences), at, context) };
}

/**
 * The requests that saving the plans would make void, found by saving them and rolling everything back.
 * What is missing for a save, such as a token, doesn't matter here.
 */
async function previewVoided(
  plans: CheckedPlan[],
  at: Date,
  context: ConfigurationContext,
): Promise<FilePlan['voided']> {
  const found: FilePlan['voided'] = new Map();
  const savable = plans.map((plan) => toSavable(withPlaceholders(plan)));
  try {
    await saveConfiguration(savable, { by: '', at }, context, async (trx, voided) => {
      for (const [teamId, refs] of Map.groupBy(voided, (ref) => ref.teamId)) {
        found.set(teamId, await describeRequests(trx, approvableActions, refs));
      }
      throw new RolledBack();
    });
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

/** Why a plan can't be applied, in one sentence; undefined if it can, but perhaps not at once. */
export function problemOf({ teamId, missing, problems }: CheckedPlan): string | undefined {
  const [first] = missing;
  if (first) {
    return `Workspace ${teamId}: the token of connection ${first.connection} is missing: ${describeReference(first.reference)}.`;
  }
  return problems[0] && `Workspace ${teamId}: ${problems[0]}.`;
}

/**
 * Whether a plan takes a second person's approval: it weakens a guard, or ends requests that wait. In
 * Slack the latter depends on the subject of the requests, which can't be compared with an operator.
 */
export function needsApproval(plan: CheckedPlan, { voided }: Pick<FilePlan, 'voided'>): boolean {
  const ended = (voided.get(plan.teamId) ?? []).filter(
    ({ action }) => action !== setupChangeAction,
  );
  return isWeakening(plan) || ended.length > 0;
}

type ApplyResult =
  | { result: 'unchanged' | 'applied' }
  /** Why it wasn't applied, in a sentence. */
  | { result: 'refused'; why: string }
  /** The only difference, in this workspace, takes a second person's approval. */
  | { result: 'approval-needed'; plan: CheckedPlan };

/** Applies a planned file, all of it or nothing. */
export async function applyFile(
  filePlan: FilePlan,
  applied: AppliedBy,
  context: ConfigurationContext,
): Promise<ApplyResult> {
  const plans = filePlan.plans.filter(hasDifferences);
  const why = plans.flatMap((plan) => problemOf(plan) ?? [])[0];
  if (why) return { result: 'refused', why };
  const guarded = plans.find((plan) => needsApproval(plan, filePlan));
  if (guarded && plans.length > 1) {
    return {
      result: 'refused',
      why: `Workspace ${guarded.teamId} requires a second person's approval. Apply one workspace at a time with --team.`,
    };
  }
  if (guarded) return { result: 'approval-needed', plan: guarded };
  if (plans.length === 0) return { result: 'unchanged' };
  const savable = plans.map(toSavable);
  // The plan didn't list requests that were made after it.
  const planned = new Set([...filePlan.voided.values()].flat().map(({ id }) => id));
  const saved = await saveConfiguration(savable, applied, context, async (_, voided) => {
    if (voided.every(({ id }) => planned.has(id))) return;
    throw new SetupChangedError('the file would void another request');
  });
  if (saved.result === 'saved') return { result: 'applied' };
  return {
    result: 'refused',
    why: 'A workspace was changed after the plan was made. Nothing was applied. Run the command again.',
  };
}
