import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';

/** Tells those who follow the requests that others decide from now on. */
export function approversChangedMessage(change: {
  by: string;
  before: string[];
  after: string[];
}): Message {
  const { by, before, after } = change;
  return notice(
    `${mention(by)} changed who decides requests: now ${deciders(after)} (before: ${deciders(before)}).`,
  );
}

function deciders(approvers: string[]): string {
  return approvers.map(mention).join(', ') || 'the admins of this workspace';
}
