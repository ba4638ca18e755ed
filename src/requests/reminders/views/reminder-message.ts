import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import type { Action } from '../../action.ts';
import { type Approval, doneBy } from '../../approval.ts';
import type { ShownStandIn } from '../../people/read-stand-ins.ts';
import { formatStandIns, formatWaiting } from '../../views/format-approvals.ts';
import { formatMissingParts } from '../../views/format-rule.ts';

/**
 * In the thread of a pending request: mentions the people and groups who can still decide it.
 * `approvers`: those of a request whose rule doesn't say who has to approve.
 */
export function reminderMessage(
  approval: Approval,
  action: Action,
  {
    approvers,
    standIns = [],
    link,
  }: { approvers: string[]; standIns?: ShownStandIn[]; link: string },
): Message {
  const missing = formatMissingParts(withoutDone(approval));
  const needed = missing ? `Needs approval from ${missing}` : formatWaiting(approval, approvers);
  const waiting = `${needed} · Expires ${moment(approval.expiresAt)}`;
  const request = `${mention(approval.requester)}'s request to ${action.summary}`;
  const lines = [`⏰ *Reminder* · ${request}`, waiting, formatStandIns(approval, standIns)];
  return notice(`${lines.filter(Boolean).join('\n')} ${link}`);
}

/** Without the people whose approval it has, and its requester: they have nothing to do. */
function withoutDone(approval: Approval): Approval {
  const { rule, requester, votes } = approval;
  if (!rule) return approval;
  const done = [requester, ...doneBy(votes)];
  const approvals = rule.approvals.map(({ from, count }) => {
    const left = from.filter((id) => !done.includes(id));
    return { count, from: left.length > 0 ? left : from };
  });
  return { ...approval, rule: { ...rule, approvals } };
}
