import { z } from 'zod';
import type { AuditFacts } from '../audit-log/entry.ts';
import { approvalKey, type RuleChange, ruleParts } from './compare-rules.ts';
import { type ActionRule, defaultRule, ruledActions } from './rules.ts';

/**
 * What the audit log stores of a changed rule: both values of each changed part. Keys and values are
 * hashed: they stay as they are.
 */
export function ruleFacts({ action, before, after, parts }: RuleChange): AuditFacts {
  const values = (rule: ActionRule, when: 'Before' | 'After') =>
    Object.fromEntries(parts.flatMap((part) => entryOf(rule, part, when)));
  return { rule: action, ...values(before, 'Before'), ...values(after, 'After') };
}

function entryOf(
  rule: ActionRule,
  part: RuleChange['parts'][number],
  when: 'Before' | 'After',
): [string, AuditFacts[string]][] {
  const value = part === 'approvals' ? rule.approvals.map(approvalKey) : rule[part];
  return value === undefined ? [] : [[`${part}${when}`, value]];
}

const ids = z.array(z.string()).catch([]);
const hours = z.number().catch(0);
const approvals = z
  .array(z.string().transform((key) => /^(?<count>\d+) of (?<from>.+)$/.exec(key)?.groups))
  .catch([])
  .transform((found) =>
    found.flatMap((one) =>
      one?.from ? [{ count: Number(one.count), from: one.from.split(' ') }] : [],
    ),
  );

/** The change that an entry is about, as far as it can be read; undefined for other entries. */
export function parseRuleFacts(facts: Record<string, unknown>): RuleChange | undefined {
  const action = ruledActions.find((one) => one === facts.rule);
  if (!action) return undefined;
  const ruleOf = (when: 'Before' | 'After'): ActionRule => ({
    ...defaultRule,
    requesters: ids.parse(facts[`requesters${when}`]),
    approvals: approvals.parse(facts[`approvals${when}`]),
    hoursToDecide: hours.parse(facts[`hoursToDecide${when}`]),
    hoursToRun: hours.parse(facts[`hoursToRun${when}`]),
    remindAfterMinutes: z
      .number()
      .optional()
      .catch(undefined)
      .parse(facts[`remindAfterMinutes${when}`]),
    breakGlass: ids.parse(facts[`breakGlass${when}`]),
  });
  const parts = ruleParts.filter((part) =>
    [`${part}Before`, `${part}After`].some((key) => key in facts),
  );
  return { action, before: ruleOf('Before'), after: ruleOf('After'), parts };
}
