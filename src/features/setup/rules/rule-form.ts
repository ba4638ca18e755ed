import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import {
  type ActionRule,
  actionRule,
  defaultRule,
  type RuledAction,
  ruledActions,
  type WorkspaceSettings,
} from '../../workspaces/index.ts';
import { approvalBlockId, countBlockId, ruleBlocks } from '../views/ids.ts';
import { readMembers } from '../views/member-inputs.ts';

export const ruleValue = z.object({ action: z.enum(ruledActions) });

export const ruleMetadata = ruleValue.extend({
  channelId: z.string().optional(),
  revision: z.int().min(0),
  /** Whether the form has menus of groups: without them, groups stay as they are. */
  hasGroups: z.boolean(),
});
export type RuleMetadata = z.infer<typeof ruleMetadata>;

/** The minimum number of approvals that the form has fields for. */
const formApprovals = 3;
export const countApprovals = ({ approvals }: ActionRule): number =>
  Math.max(formApprovals, approvals.length);

/** What a form says: a rule, with the blocks of its approvals, or errors by block id. */
export type RuleForm =
  | { rule: ActionRule; approvalBlocks: string[] }
  | { errors: Record<string, string> };

/** Reads the form with the groups that it has no menu for. Empty fields mean the default. */
export function readRuleForm(
  values: ViewValues,
  before: ActionRule,
  { hasGroups }: Pick<RuleMetadata, 'hasGroups'>,
): RuleForm {
  if (values.options(ruleBlocks.remove).length > 0)
    return { rule: defaultRule, approvalBlocks: [] };
  const members = (blockId: string, ids: readonly string[] = []) =>
    readMembers(values, blockId, { hasGroups, before: ids });
  const number = (blockId: string) => {
    const text = values.text(blockId);
    return text === undefined ? undefined : Number(text);
  };
  const approvals = Array.from({ length: countApprovals(before) }, (_, index) => ({
    blockId: approvalBlockId(index),
    from: members(approvalBlockId(index), before.approvals[index]?.from),
    count: number(countBlockId(index)) ?? 1,
  })).filter(({ from }) => from.length > 0);
  const parsed = actionRule.safeParse({
    requesters: members(ruleBlocks.requesters, before.requesters),
    approvals,
    hoursToDecide: number(ruleBlocks.hoursToDecide),
    hoursToRun: number(ruleBlocks.hoursToRun),
    remindAfterMinutes: number(ruleBlocks.remindAfterMinutes),
    breakGlass: members(ruleBlocks.breakGlass, before.breakGlass),
  });
  if (!parsed.success) return { errors: errorsOf(parsed.error) };
  return { rule: parsed.data, approvalBlocks: approvals.map(({ blockId }) => blockId) };
}

/** Slack's fields prevent most of these errors. */
function errorsOf({ issues }: z.ZodError<ActionRule>): Record<string, string> {
  const blocks: Record<string, string> = ruleBlocks;
  return Object.fromEntries(
    issues.map(({ path: [field = ''] }) => [
      blocks[String(field)] ?? approvalBlockId(0),
      'Choose fewer people, or enter a number in the allowed range.',
    ]),
  );
}

/** The settings with this rule; a rule that says nothing is left out. */
export function withRule(
  settings: WorkspaceSettings,
  action: RuledAction,
  rule: ActionRule,
): WorkspaceSettings {
  const { [action]: _, ...others } = settings.access.rules;
  const isDefault = isDeepStrictEqual(rule, defaultRule);
  const rules = isDefault ? others : { ...others, [action]: rule };
  return { ...settings, access: { ...settings.access, rules } };
}
