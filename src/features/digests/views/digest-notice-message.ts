import { context, type Message, message } from '../../../slack/ui/blocks.ts';
import { mention, safe } from '../../../slack/ui/mrkdwn.ts';
import type { DigestSettings } from '../digest.ts';
import { partsText, scheduleInSentence } from './format-digest.ts';

export function digestSetUpMessage(settings: DigestSettings, by: string): Message {
  return told(`${mention(by)} set up a digest here: ${scheduleOf(settings)}.`);
}

/** With all that is different now, so that nobody misses what was taken out of it. */
export function digestChangedMessage(
  { before, after }: { before: DigestSettings; after: DigestSettings },
  by: string,
): Message {
  const changed = `${mention(by)} changed a digest here: ${scheduleOf(after)}.`;
  return told([changed, ...differences(before, after)].join(' '));
}

function differences(before: DigestSettings, after: DigestSettings): string[] {
  const added = after.parts.filter((part) => !before.parts.includes(part));
  const dropped = before.parts.filter((part) => !after.parts.includes(part));
  const isOtherTime = scheduleOf(before) !== scheduleOf(after);
  const whenEmpty = after.whenEmpty === 'silence' ? 'posts nothing' : 'says so';
  return [
    ...(isOtherTime ? [`Until now: ${scheduleOf(before)}.`] : []),
    ...(added.length > 0 ? [`Added: ${partsText(added)}.`] : []),
    ...(dropped.length > 0 ? [`Left out: ${partsText(dropped)}.`] : []),
    ...(before.whenEmpty === after.whenEmpty
      ? []
      : [`When there is nothing to tell, it ${whenEmpty} from now on.`]),
  ];
}

export function digestEndedMessage(settings: DigestSettings, by: string): Message {
  return told(`${mention(by)} ended a digest here: ${scheduleOf(settings)}.`);
}

const forMore = '`/belay digest` shows, changes and ends the digests here.';

function scheduleOf(settings: DigestSettings): string {
  return safe(scheduleInSentence(settings), 200);
}

function told(text: string): Message {
  return message(text, [context(`${text} ${forMore}`)]);
}
