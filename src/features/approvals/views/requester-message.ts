import { actions, type Message, message, section } from '../../../slack/ui/blocks.ts';
import type { Approval } from '../approval.ts';
import type { BoundAction } from '../bind-action.ts';
import { followingButtons } from './approval-buttons.ts';
import { formatState } from './format-state.ts';

/** The requester's own copy: what became of their request, and what they can do about it. */
export function requesterMessage(approval: Approval, action: BoundAction): Message {
  const text = `Your request to ${action.summary}: ${formatState(approval, action)}`;
  const buttons = followingButtons(approval, action);
  return message(text, [section(text), ...(buttons.length > 0 ? [actions(buttons)] : [])]);
}
