import { context, type Message, message } from '../../slack/blocks.ts';
import { mention, safe } from '../../slack/mrkdwn.ts';
import type { DigestSettings } from './digest.ts';
import { scheduleInSentence } from './digest-words.ts';

export function digestSetUpMessage(settings: DigestSettings, by: string): Message {
  return told(`${mention(by)} set up a digest here: ${scheduleOf(settings)}.`, howToChange);
}

export function digestChangedMessage(settings: DigestSettings, by: string): Message {
  return told(`${mention(by)} changed a digest here: ${scheduleOf(settings)}.`, howToChange);
}

export function digestEndedMessage(settings: DigestSettings, by: string): Message {
  return told(`${mention(by)} ended a digest here: ${scheduleOf(settings)}.`, howToSetUp);
}

const howToChange = '`/belay digest` shows and changes it.';
const howToSetUp = '`/belay digest` shows those that are left.';

function scheduleOf(settings: DigestSettings): string {
  return safe(scheduleInSentence(settings), 200);
}

function told(text: string, more: string): Message {
  return message(text, [context(`${text} ${more}`)]);
}
