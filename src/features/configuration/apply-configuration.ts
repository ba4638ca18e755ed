import { setupChangeAction } from '../../audit-log/registry.ts';
import type { ActionEntries } from '../../requests/define-action.ts';
import type { DescribedRequest } from '../../requests/store/describe-requests.ts';
import { SetupChangedError } from '../../workspace/open-settings.ts';
import type { ParsedFile } from './file/parse-configuration.ts';
import { describeReference } from './file/resolve-tokens.ts';
import type { CheckedPlan } from './plan/check-service.ts';
import { toSavable } from './plan/compose-change.ts';
import { hasDifferences, isWeakening } from './plan/plan-workspace.ts';
import { type PrepareDependencies, preparePlans, previewVoided } from './plan/prepare-plans.ts';
import { type AppliedBy, saveConfiguration } from './save/save-configuration.ts';

export type ConfigurationDependencies = PrepareDependencies & { actions: ActionEntries };

/** What applying a file would change, and the requests that would be void, by workspace. */
export type FilePlan = { plans: CheckedPlan[]; voided: Map<string, DescribedRequest[]> };

/** @throws {ConfigurationError} if the file doesn't fit what is stored */
export async function planFile(
  file: ParsedFile,
  teamId: string | undefined,
  dependencies: ConfigurationDependencies & Pick<AppliedBy, 'at'>,
): Promise<FilePlan> {
  const plans = await preparePlans(file, teamId, dependencies);
  const applied = { by: '', at: dependencies.at };
  return {
    plans,
    voided: await previewVoided(plans.filter(hasDifferences), applied, dependencies),
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
  dependencies: ConfigurationDependencies,
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
  const saved = await saveConfiguration(savable, applied, dependencies, async (_, voided) => {
    if (voided.every(({ id }) => planned.has(id))) return;
    throw new SetupChangedError('the file would void another request');
  });
  if (saved.result === 'saved') return { result: 'applied' };
  return {
    result: 'refused',
    why: 'A workspace was changed after the plan was made. Nothing was applied. Run the command again.',
  };
}
