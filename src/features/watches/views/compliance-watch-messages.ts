import { context, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { numberField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { complianceButton } from '../../compliance/index.ts';
import {
  type ComplianceWatch,
  maxCountProblem,
  maxCountRange,
} from '../compliance/compliance-watch.ts';
import { editComplianceMetadata } from './ids.ts';

/** "more than 3 noncompliant volumes in *Gold*": what a watch posts, in mrkdwn. */
export function formatComplianceWatch({
  policy,
  maxCount,
}: Pick<ComplianceWatch, 'policy' | 'maxCount'>): string {
  return `more than ${plural(maxCount, 'noncompliant volume')} in ${bold(policy.name, 150)}`;
}

/** The current count, for somebody who adds a watch. */
export function formatCountNow({
  policy,
  maxCount,
  count,
}: Pick<ComplianceWatch, 'policy' | 'maxCount'> & { count: number | undefined }): string {
  const name = bold(policy.name, 150);
  if (count === undefined) return `The service has no data for ${name} now.`;
  const now = `${name} has ${plural(count, 'noncompliant volume')} now`;
  return count > maxCount
    ? `${now}, which is already above the limit. The next message is posted when the number rises above ${maxCount} again.`
    : `${now}.`;
}

/** The number has risen above the limit; `watch` is as it was before. */
export function complianceRoseMessage(
  { policy, maxCount, lastCount }: ComplianceWatch,
  count: number,
): Message {
  const title = `:warning: ${bold(policy.name)} has ${plural(count, 'noncompliant volume')}, above the limit of ${maxCount}`;
  const before = lastCount === undefined ? '' : `Before: ${lastCount} · `;
  const note = `${before}Posts again above ${maxCount} · Manage: \`/belay watch\``;
  const show = complianceButton(policy);
  return message([section(title, show), context(note)]);
}

export const editComplianceForm = defineForm('watches.edit_compliance', {
  metadata: editComplianceMetadata,
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
