import type { AccessSettings } from './access.ts';
import { type ActionRule, type RuledAction, ruledActions, ruleOf } from './rules.ts';

type Approvals = Pick<ActionRule, 'approvals'>;

/** Whether the same people have to approve, in whatever order a rule names them. */
export function isSameRule(one: Approvals, other: Approvals): boolean {
  const [known, ...others] = [one, other].map(({ approvals }) =>
    approvals
      .map(({ from, count }) => `${count} ${[...new Set(from)].toSorted().join()}`)
      .toSorted()
      .join(' '),
  );
  return others.every((rule) => rule === known);
}

/** The actions whose rules say otherwise who has to approve. */
export function changedApprovals(
  { rules: before }: Pick<AccessSettings, 'rules'>,
  { rules: after }: Pick<AccessSettings, 'rules'>,
): RuledAction[] {
  return ruledActions.filter((name) => !isSameRule(ruleOf(before, name), ruleOf(after, name)));
}
