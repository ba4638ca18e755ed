import { type Message, notice } from '../../../../slack/ui/blocks.ts';
import { mention, moment } from '../../../../slack/ui/mrkdwn.ts';
import type { Approval } from '../../approval.ts';
import type { BoundAction } from '../../bound-action.ts';
import { formatWaiting } from '../../views/format-approvals.ts';
import { formatMissingParts } from '../../views/format-rule.ts';

/**
 * In the thread of a pending request: mentions the people and groups who can still decide it.
 * `approvers`: those of a request whose rule doesn't say who has to approve.
 */
export function reminderMessage(
  approval: Approval,
  action: BoundAction,
  { approvers, link }: { approvers: string[]; link: string },
): Message {
  const missing = formatMissingParts(approval);
  const waiting = missing
    ? `Needs approval from ${missing} until ${moment(approval.expiresAt)}.`
    : formatWaiting(approval, approvers);
  const request = `${mention(approval.requester)}'s request to ${action.summary}`;
  return notice(`⏰ *Reminder* · ${request}\n${waiting} ${link}`);
}
