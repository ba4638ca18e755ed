import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import type { DigestSettings } from '../digest.ts';
import {
  formatFilters,
  formatParts,
  formatSafeSchedule,
  whenEmptyLabels,
} from './format-settings.ts';

export function digestSetUpMessage(settings: DigestSettings, by: string): Message {
  const added = `${mention(by)} added a digest: ${formatSafeSchedule(settings)}`;
  return noticeMessage([added, ...formatFilters(settings)].join(' · '));
}

/** Lists every difference, so that nobody misses a part that was left out. */
export function digestChangedMessage(
  { before, after }: { before: DigestSettings; after: DigestSettings },
  by: string,
): Message {
  const changed = `${mention(by)} changed a digest: ${formatSafeSchedule(after)}`;
  return noticeMessage([changed, ...differences(before, after)].join(' · '));
}

function differences(before: DigestSettings, after: DigestSettings): string[] {
  const added = after.parts.filter((part) => !before.parts.includes(part));
  const dropped = before.parts.filter((part) => !after.parts.includes(part));
  const isOtherTime = formatSafeSchedule(before) !== formatSafeSchedule(after);
  return [
    ...(isOtherTime ? [`Before: ${formatSafeSchedule(before)}`] : []),
    ...(added.length > 0 ? [`Added: ${formatParts(added)}`] : []),
    ...(dropped.length > 0 ? [`Removed: ${formatParts(dropped)}`] : []),
    ...(before.whenEmpty === after.whenEmpty
      ? []
      : [`If there's nothing to report: ${whenEmptyLabels[after.whenEmpty]}`]),
    ...filterDifference(formatFilters(before), formatFilters(after)),
  ];
}

function filterDifference([before]: string[], [after]: string[]): string[] {
  if (before === after) return [];
  return [after ?? 'Filters removed'];
}

export function digestEndedMessage(settings: DigestSettings, by: string): Message {
  return noticeMessage(`${mention(by)} ended a digest: ${formatSafeSchedule(settings)}`);
}

function noticeMessage(text: string): Message {
  return message([context(`${text}\nManage digests with \`/belay digest\``)]);
}
