import { z } from 'zod';
import type { SubmissionOf } from '../../../slack/interactions/interaction.ts';
import { divider, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { checkboxField, optionalNumberField } from '../../../slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { isDefaultRule } from '../../../workspace/compare-rules.ts';
import {
  type ActionRule,
  actionRule,
  defaultRule,
  type RuledAction,
  ruledActions,
} from '../../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { ruledActionNames } from '../../../workspace/views/format-rule.ts';
import type { GroupChoice } from '../roles/list-choices.ts';
import type { ShownSetup } from '../setup-form.ts';
import {
  groupNotice,
  hasGroupMenus,
  memberInputs,
  readMembers,
  shownMembers,
} from './member-inputs.ts';

export const ruleValue = z.object({ action: z.enum(ruledActions) });

/** Which rule a form changes, of which revision of the setup. */
export type RuleRef = ShownSetup & z.infer<typeof ruleValue>;

/** The minimum number of approvals that the form has fields for. */
const formApprovals = 3;
const countApprovals = ({ approvals }: ActionRule): number =>
  Math.max(formApprovals, approvals.length);

export const ruleForm = defineForm('access.save-rule', {
  metadata: shownMembers.extend(ruleValue.shape),
  fields: {
    remove: checkboxField({
      label: 'Remove rule',
      choice: 'Remove this rule and use the defaults',
    }),
    hoursToDecide: optionalNumberField({
      label: 'Time to decide (hours)',
      hint: 'Requests that nobody decides in this time expire. Default: 8. Maximum: 168.',
      min: 1,
      max: 168,
    }),
    hoursToRun: optionalNumberField({
      label: 'Time to run (hours)',
      hint: "Approved requests that Belay can't start in this time are voided. Default: 24. Maximum: 168.",
      min: 1,
      max: 168,
    }),
    remindAfterMinutes: optionalNumberField({
      label: 'First reminder (minutes)',
      hint: 'The wait doubles after each reminder. Leave empty to turn reminders off.',
      min: 5,
      max: 1440,
    }),
  },
});

const approvalId = (index: number): string => `approval-${index + 1}`;

/** How many people have to give an approval. */
const countField = (index: number) =>
  optionalNumberField({ label: `Approval ${index + 1}: number of people`, min: 1, max: 5 })(
    `${approvalId(index)}-count`,
  );

/** What a form says: a rule, with the fields of its approvals, or errors by field id. */
export type RuleForm =
  | { rule: ActionRule; approvalIds: string[] }
  | { errors: Record<string, string> };

/** Reads the form with the groups that it has no menu for. Empty fields mean the default. */
export function readRuleForm(
  { entered, values, metadata }: SubmissionOf<typeof ruleForm>,
  before: ActionRule,
): RuleForm {
  const { remove, ...timing } = entered;
  if (remove) return { rule: defaultRule, approvalIds: [] };
  const members = (id: string, ids: readonly string[] = []) =>
    readMembers(values, id, { hasGroups: metadata.hasGroups, before: ids });
  const approvals = Array.from({ length: countApprovals(before) }, (_, index) => ({
    id: approvalId(index),
    from: members(approvalId(index), before.approvals[index]?.from),
    count: countField(index).read(values) ?? 1,
  })).filter(({ from }) => from.length > 0);
  const parsed = actionRule.safeParse({
    ...timing,
    requesters: members('requesters', before.requesters),
    approvals,
    breakGlass: members('breakGlass', before.breakGlass),
  });
  if (!parsed.success) return { errors: errorsOf(parsed.error) };
  return { rule: parsed.data, approvalIds: approvals.map(({ id }) => id) };
}

/** Slack's fields prevent most of these errors. */
function errorsOf({ issues }: z.ZodError<ActionRule>): Record<string, string> {
  return Object.fromEntries(
    issues.map(({ path: [field = ''] }) => [
      field === 'approvals' ? approvalId(0) : String(field),
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
  const rules = isDefaultRule(rule) ? others : { ...others, [action]: rule };
  return { ...settings, access: { ...settings.access, rules } };
}

export const ruleTitle = 'Edit rule';

type RuleModalInput = {
  rule: ActionRule;
  /** Whether there is a rule that can be removed. */
  isRuled: boolean;
  choice: GroupChoice;
  metadata: RuleRef;
};

/** The rule of one action, to be changed. */
export function ruleModal(modal: RuleModalInput): ModalView {
  const { rule, isRuled, choice, metadata } = modal;
  const { fields } = ruleForm;
  return ruleForm.modal({
    title: ruleTitle,
    submit: 'Review changes',
    metadata: { ...metadata, hasGroups: hasGroupMenus(choice) },
    blocks: [
      section(`*${ruledActionNames[metadata.action]}*`),
      ...(isRuled ? [fields.remove.block()] : []),
      ...memberInputs(
        {
          id: 'requesters',
          label: 'Requesters',
          hint: 'People who can request this action. Leave empty to include every operator.',
          ids: rule.requesters,
        },
        choice,
      ),
      divider(),
      section(
        '*Approvals*\nAll of these approvals are required, each from different people. Leave them empty to let the approvers decide.',
      ),
      ...Array.from({ length: countApprovals(rule) }, (_, index) =>
        approvalInputs(index, rule, choice),
      ).flat(),
      divider(),
      fields.hoursToDecide.block(rule.hoursToDecide),
      fields.hoursToRun.block(rule.hoursToRun),
      fields.remindAfterMinutes.block(rule.remindAfterMinutes),
      ...memberInputs(
        {
          id: 'breakGlass',
          label: 'Break-glass',
          hint: 'People who can run this action without approval in an emergency. Someone else reviews it afterward. Leave empty to turn break-glass off.',
          ids: rule.breakGlass,
        },
        choice,
      ),
      ...groupNotice(choice),
    ],
  });
}

function approvalInputs(index: number, { approvals }: ActionRule, choice: GroupChoice) {
  const { from, count } = approvals[index] ?? { from: [], count: 1 };
  return [
    ...memberInputs(
      {
        id: approvalId(index),
        label: `Approval ${index + 1}`,
        hint: 'People who can give this approval.',
        ids: from,
      },
      choice,
    ),
    countField(index).block(count),
  ];
}

export const ruleNotice = (text: string): ModalView => noticeModal(ruleTitle, text);
