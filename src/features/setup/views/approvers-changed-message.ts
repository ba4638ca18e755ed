import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';

export function approversChangedMessage(change: {
  by: string;
  before: string[];
  after: string[];
}): Message {
  const { by, before, after } = change;
  return notice(
    `${mention(by)} changed who decides requests: now ${formatApprovers(after)} (before: ${formatApprovers(before)}).`,
  );
}

function formatApprovers(approvers: string[]): string {
  return approvers.map(mention).join(', ') || 'the admins of this workspace';
}
