import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { mention, safe } from '../../../slack/ui/mrkdwn.ts';
import type { DigestSettings } from '../digest.ts';
import { formatParts, formatScheduleInSentence } from './format-settings.ts';

export function digestSetUpMessage(settings: DigestSettings, by: string): Message {
  return noticeMessage(`${mention(by)} set up a digest here: ${formatSafeSchedule(settings)}.`);
}

/** Lists every difference, so that nobody misses a part that was left out. */
export function digestChangedMessage(
  { before, after }: { before: DigestSettings; after: DigestSettings },
  by: string,
): Message {
  const changed = `${mention(by)} changed a digest here: ${formatSafeSchedule(after)}.`;
  return noticeMessage([changed, ...differences(before, after)].join(' '));
}

function differences(before: DigestSettings, after: DigestSettings): string[] {
  const added = after.parts.filter((part) => !before.parts.includes(part));
  const dropped = before.parts.filter((part) => !after.parts.includes(part));
  const isOtherTime = formatSafeSchedule(before) !== formatSafeSchedule(after);
  const whenEmpty = after.whenEmpty === 'silence' ? 'posts nothing' : 'says so';
  return [
    ...(isOtherTime ? [`Until now: ${formatSafeSchedule(before)}.`] : []),
    ...(added.length > 0 ? [`Added: ${formatParts(added)}.`] : []),
    ...(dropped.length > 0 ? [`Left out: ${formatParts(dropped)}.`] : []),
    ...(before.whenEmpty === after.whenEmpty
      ? []
      : [`When there is nothing to tell, it ${whenEmpty} from now on.`]),
  ];
}

export function digestEndedMessage(settings: DigestSettings, by: string): Message {
  return noticeMessage(`${mention(by)} ended a digest here: ${formatSafeSchedule(settings)}.`);
}

function formatSafeSchedule(settings: DigestSettings): string {
  return safe(formatScheduleInSentence(settings), 200);
}

function noticeMessage(text: string): Message {
  const help = '`/belay digest` shows, changes and ends the digests here.';
  return message(text, [context(`${text} ${help}`)]);
}
