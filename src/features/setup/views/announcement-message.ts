import { joinToSections, type Message, message, section } from '../../../slack/ui/blocks.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { SavedChange } from '../../../workspace/setup-change.ts';
import { requiresApproval } from '../compare-setup.ts';
import { changeLines } from './format-setup-change.ts';

/** Tells approvers and admins what changed in the setup, who changed it, and who approved it. */
export function announcementMessage(saved: SavedChange): Message {
  const lines = changeLines(saved.change);
  const shown = lines.slice(0, countFitting(lines));
  const more = lines.length - shown.length;
  const changes = joinToSections([...shown, ...(more > 0 ? [`and ${more} more`] : [])]);
  return message([formatTitle(saved), ...changes].map((text) => section(text)));
}

/** How many of the lines fit. Settings come first, so a file can't hide them among its items. */
function countFitting(lines: string[]): number {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += Math.min(line.length, limits.sectionText);
    return length > limits.textOfBlocks;
  });
  return end < 0 ? lines.length : end;
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
