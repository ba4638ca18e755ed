import {
  actions,
  button,
  confirmation,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { numberField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { bold, mention, moment, stripMarkup } from '../../../slack/ui/mrkdwn.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import { complianceButton } from '../../compliance/index.ts';
import { formatConnectionName } from '../../workspaces/index.ts';
import {
  type ComplianceWatch,
  maxCountProblem,
  maxCountRange,
} from '../compliance/compliance-watch.ts';
import { formatComplianceWatch } from './format-compliance-watch.ts';
import { editComplianceActionId, editMetadata, endComplianceActionId } from './ids.ts';
import type { ShownFor } from './watch-notices.ts';

/** The number has risen above the limit; `watch` is as it was before. */
export function complianceRoseMessage(
  { policy, maxCount, lastCount }: ComplianceWatch,
  count: number,
): Message {
  const title = `:warning: ${bold(policy.name)} has ${plural(count, 'noncompliant volume')}, above the limit of ${maxCount}`;
  const before = lastCount === undefined ? '' : `Before: ${lastCount} · `;
  const note = `${before}Next message: when the number rises above ${maxCount} again · Manage watches with \`/belay watch\``;
  const show = complianceButton(policy);
  return message([section(title, show), context(note)]);
}

/** A watch in the list of a channel, with buttons if the person may change it. */
export function complianceWatchBlocks(
  watch: ComplianceWatch,
  { mayChange, connectionName }: ShownFor,
): KnownBlock[] {
  const { createdBy, createdAt, changedBy, changedAt, lastCount, lastReadAt, pausedReason } = watch;
  const facts = [
    `Added by ${mention(createdBy)} ${moment(createdAt)}`,
    ...(changedBy && changedAt ? [`changed by ${mention(changedBy)} ${moment(changedAt)}`] : []),
    lastCount === undefined || lastReadAt === undefined
      ? 'no data yet'
      : `${lastCount} noncompliant ${moment(lastReadAt)}`,
  ];
  const lines = [
    `${capitalize(formatComplianceWatch(watch))}${formatConnectionName(connectionName)}`,
    ...(pausedReason ? [`:double_vertical_bar: Paused: ${pausedReason}`] : []),
    facts.join(' · '),
  ];
  return [section(lines.join('\n')), ...(mayChange ? [buttonsOf(watch)] : [])];
}

function buttonsOf(watch: ComplianceWatch): KnownBlock {
  const what = stripMarkup(capitalize(formatComplianceWatch(watch)));
  const value = encodeValue({ watchId: watch.id });
  return actions([
    button({
      text: 'Edit',
      actionId: editComplianceActionId,
      value,
      accessibilityLabel: `Edit watch: ${what}`,
    }),
    button({
      text: 'End watch',
      actionId: endComplianceActionId,
      value,
      accessibilityLabel: `End watch: ${what}`,
      confirm: confirmation({
        title: 'End this watch?',
        question: `${what}. Messages already posted stay.`,
        verb: 'End watch',
      }),
    }),
  ]);
}

export const editComplianceForm = defineForm('watches.edit_compliance', {
  metadata: editMetadata,
  fields: {
    maxCount: numberField({
      label: 'Limit (noncompliant volumes)',
      hint: 'A message is posted when the number rises above this limit.',
      ...maxCountRange,
      invalid: maxCountProblem,
    }),
  },
});

export function editComplianceModal(
  { id, policy, maxCount }: ComplianceWatch,
  channelId: string | undefined,
): ModalView {
  return editComplianceForm.modal({
    title: 'Edit watch',
    submit: 'Save',
    metadata: { watchId: id, channelId },
    blocks: [
      section(`Policy ${bold(policy.name)}`),
      editComplianceForm.fields.maxCount.block(maxCount),
    ],
  });
}
