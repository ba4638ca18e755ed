import { type Message, message, section } from '../../../slack/ui/blocks.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { SavedChange } from '../../../workspace/setup-change.ts';
import { requiresApproval } from '../compare-setup.ts';
import { changeLines } from './format-setup-change.ts';

/** Tells approvers and admins what changed in the setup, who changed it, and who approved it. */
export function announcementMessage(saved: SavedChange): Message {
  return message([formatTitle(saved), ...changeLines(saved.change)].map((line) => section(line)));
}

function formatTitle({ change, savedBy, approvedBy }: SavedChange): string {
  if (savedBy === undefined) {
    return ':warning: *Setup changed without approval*\nA Belay administrator changed the setup from the command line.';
  }
  const by = mention(savedBy);
  if (approvedBy !== undefined)
    return `:gear: *Setup changed*\n${by} changed Belay's setup. ${mention(approvedBy)} approved the change.`;
  return requiresApproval(change)
    ? `:warning: *Setup changed without approval*\n${by} changed Belay's setup. No other approver or admin was active.`
    : `:gear: *Setup changed*\n${by} changed Belay's setup. This change needed no approval.`;
}
