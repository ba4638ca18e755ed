import type { DescribedRequest } from '../../../requests/store/describe-requests.ts';
import { compareSetup } from '../../setup/index.ts';
import type { Workspace } from '../file/configuration.ts';
import { describeReference } from '../file/resolve-tokens.ts';
import type { CheckedPlan } from '../plan/check-service.ts';
import { hasDifferences, type ItemChange, isWeakening } from '../plan/plan-workspace.ts';
import type { Item } from '../sections/define-section.ts';

/** A plan for an operator, in plain text: the differences of a workspace and what follows from them. */
export function formatPlan(plan: CheckedPlan, voided: DescribedRequest[]): string {
  const { teamId, missing, problems, notes } = plan;
  if (!hasDifferences(plan)) return `Workspace ${teamId}: no differences.\n`;
  const weakening = isWeakening(plan) ? weakeningSettings(plan) : [];
  const lines = [
    ...differences(plan),
    ...plan.items.map(formatItem).toSorted(),
    ...voided.map(
      ({ summary, requester }) => `! voids ${requester}'s request: ${oneLine(summary)}`,
    ),
    ...(weakening.length > 0
      ? [`! requires a second person's approval: ${weakening.join(', ')}`]
      : []),
    ...missing.map(
      ({ connection, reference }) =>
        `! the token of connection ${connection} is missing: ${describeReference(reference)}`,
    ),
    ...problems.map((problem) => `! ${oneLine(problem)}`),
    ...notes.map((note) => `? ${oneLine(note)}`),
  ];
  return `Workspace ${teamId}:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function weakeningSettings(plan: CheckedPlan): string[] {
  const found = plan.changes.flatMap(({ change }) =>
    compareSetup(change).flatMap(({ setting, requires }) =>
      requires === 'approval' ? setting : [],
    ),
  );
  return [...new Set(found)];
}

/** Each different value of the sections that have no items, by its path. */
function compareValues({ stored, wanted }: CheckedPlan): string[] {
  const before = values(stored.workspace);
  const after = values(wanted);
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path) => {
    const [old, value] = [before.get(path), after.get(path)];
    if (old === value) return [];
    if (old === undefined) return [`+ ${path}: ${value}`];
    return [value === undefined ? `- ${path}: ${old}` : `~ ${path}: ${old} → ${value}`];
  });
}

function differences(plan: CheckedPlan): string[] {
  const tokens = plan.changes.flatMap(({ change: { target, hasNewToken, isSameTenant } }) =>
    hasNewToken && target?.kind === 'edit'
      ? [
          `~ connections.${target.name}.token: replaced${isSameTenant ? ', same tenant' : ', not confirmed to be the same tenant'}`,
        ]
      : [],
  );
  return [...compareValues(plan), ...tokens];
}

/** Texts by path; connections by name, and without the reference of the token, which isn't stored. */
function values({ connections, settings, roles, rules, protectedUsers }: Workspace) {
  const named = connections.map(({ name, token: _, ...rest }) => [
    name.toLowerCase(),
    { name, ...rest },
  ]);
  const found = new Map<string, string>();
  const collect = (path: string, value: unknown) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      found.set(path, JSON.stringify(value));
      return;
    }
    for (const [key, one] of Object.entries(value)) collect(path ? `${path}.${key}` : key, one);
  };
  collect('', { connections: Object.fromEntries(named), settings, roles, rules, protectedUsers });
  return found;
}

export function formatItem(change: ItemChange): string {
  const show = ({ section, value }: Item) => `${section.name}: ${JSON.stringify(value)}`;
  if (change.kind === 'add') return `+ ${show(change.after)}`;
  if (change.kind === 'remove') return `- ${show(change.before)}`;
  return `~ ${show(change.before)} → ${JSON.stringify(change.after.value)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
