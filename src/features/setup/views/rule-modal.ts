import { divider, input, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import { checkboxesElement, numberElement } from '../../../slack/ui/view-values.ts';
import { type ActionRule, type RuledAction, ruledActionNames } from '../../workspaces/index.ts';
import type { GroupChoice } from '../roles/list-choices.ts';
import { countApprovals, type RuleMetadata } from '../rules/rule-form.ts';
import { approvalBlockId, countBlockId, ruleBlocks, ruleCallbackId } from './ids.ts';
import { groupNotice, hasGroupMenus, memberInputs } from './member-inputs.ts';

export const ruleTitle = 'Edit rule';

type RuleModalInput = {
  rule: ActionRule;
  /** Whether there is a rule that can be removed. */
  isRuled: boolean;
  choice: GroupChoice;
  metadata: Omit<RuleMetadata, 'hasGroups'>;
  /** Errors by block id, shown above the fields because the form was acknowledged already. */
  errors?: Record<string, string> | undefined;
};

/** The rule of one action, to be changed. */
export function ruleModal(modal: RuleModalInput): ModalView {
  const { rule, isRuled, choice, metadata, errors = {} } = modal;
  return formModal({
    title: ruleTitle,
    callbackId: ruleCallbackId,
    submit: 'Review changes',
    metadata: encodeValue({ ...metadata, hasGroups: hasGroupMenus(choice) }),
    blocks: [
      ...Object.values(errors).map((error) =>
        section(`:warning: *Nothing was saved.* ${safe(error, 500)}`),
      ),
      section(`*${ruledActionNames[metadata.action]}*`),
      ...(isRuled ? [removal(metadata.action)] : []),
      ...memberInputs(
        {
          blockId: ruleBlocks.requesters,
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
      ...limitInputs(rule),
      ...memberInputs(
        {
          blockId: ruleBlocks.breakGlass,
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

function removal(action: RuledAction): KnownBlock {
  const label = 'Remove this rule and use the defaults';
  return input({
    blockId: ruleBlocks.remove,
    label: 'Remove rule',
    element: checkboxesElement([{ value: action, label }], []),
    isOptional: true,
  });
}

function approvalInputs(index: number, { approvals }: ActionRule, choice: GroupChoice) {
  const { from, count } = approvals[index] ?? { from: [], count: 1 };
  const number = index + 1;
  return [
    ...memberInputs(
      {
        blockId: approvalBlockId(index),
        label: `Approval ${number}`,
        hint: 'People who can give this approval.',
        ids: from,
      },
      choice,
    ),
    input({
      blockId: countBlockId(index),
      label: `Approval ${number}: number of people`,
      element: numberElement({ min: 1, max: 5, initial: String(count) }),
      isOptional: true,
    }),
  ];
}

function limitInputs(rule: ActionRule): KnownBlock[] {
  const { hoursToDecide, hoursToRun, remindAfterMinutes } = rule;
  return [
    input({
      blockId: ruleBlocks.hoursToDecide,
      label: 'Time to decide (hours)',
      hint: 'Requests that nobody decides in this time expire. Default: 8. Maximum: 168.',
      element: numberElement({ min: 1, max: 168, initial: String(hoursToDecide) }),
      isOptional: true,
    }),
    input({
      blockId: ruleBlocks.hoursToRun,
      label: 'Time to run (hours)',
      hint: "Approved requests that Belay can't start in this time are voided. Default: 24. Maximum: 168.",
      element: numberElement({ min: 1, max: 168, initial: String(hoursToRun) }),
      isOptional: true,
    }),
    input({
      blockId: ruleBlocks.remindAfterMinutes,
      label: 'First reminder (minutes)',
      hint: 'The wait doubles after each reminder. Leave empty to turn reminders off.',
      element: numberElement({
        min: 5,
        max: 1440,
        initial: remindAfterMinutes === undefined ? undefined : String(remindAfterMinutes),
      }),
      isOptional: true,
    }),
  ];
}

export const ruleNotice = (text: string): ModalView => noticeModal(ruleTitle, [section(text)]);
