import type { TextObject } from '@slack/types';
import { replaceEmoji } from './emoji.ts';
import { Mrkdwn } from './mrkdwn.tsx';

export function TextObjectText({ text }: { text: TextObject }) {
  if (text.type === 'mrkdwn') return <Mrkdwn text={text.text} verbatim={text.verbatim ?? false} />;
  return <span className="plain-text">{plainText(text)}</span>;
}

/** `emoji` defaults to true, as in Slack. */
export function plainText({ text, emoji }: { text: string; emoji?: boolean }): string {
  return emoji === false ? text : replaceEmoji(text);
}
