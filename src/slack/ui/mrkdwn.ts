import { cut } from './limits.ts';

/** Makes text from people or systems harmless: it can neither ping, nor link, nor open an entity. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What a person typed, out of the escaped form in which Slack delivers it. */
export function unescapeMrkdwn(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * Without the characters that turn the direction of reading: one of them in a name makes the address
 * behind it read as another. Letters of scripts that run from right to left need none.
 */
export function stripBidiControls(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, '');
}

/**
 * Escapes and cuts to `max` of what the reader sees. Escaping may grow the text fivefold, so callers
 * that fill a block keep `max` well under the block's limit or cut the whole with `cutMrkdwn`.
 */
export function safe(text: string, max = 300): string {
  return escapeMrkdwn(cut(stripBidiControls(text), max));
}

/**
 * Safe text for between formatting marks. A `*` in a name would end the bold and a backtick could
 * begin code, so look-alikes stand in for them; `_` stays, because names of systems are full of it.
 */
export function bold(text: string, max = 300): string {
  const visible = safe(stripBidiControls(text).replace(/\s+/g, ' ').trim(), max);
  return visible ? `*${visible.replaceAll('*', '∗').replaceAll('`', 'ˋ')}*` : '*(no name)*';
}

export function code(text: string, max = 300): string {
  const visible = safe(text, max).replaceAll('`', 'ˋ').replace(/\s+/g, ' ');
  return visible.trim() ? `\`${visible}\`` : '`(empty)`';
}

export function mention(slackUserId: string): string {
  return `<@${slackUserId}>`;
}

export function channelMention(channelId: string): string {
  return `<#${channelId}>`;
}

/** A moment in the reader's own time zone, with UTC for clients that cannot draw it. */
export function moment(at: Date, format = '{date_short_pretty} at {time}'): string {
  const unix = Math.floor(at.getTime() / 1000);
  return `<!date^${unix}^${format}|${at.toISOString().replace('T', ' ').slice(0, 16)} UTC>`;
}

/** "3 hours ago (Today at 14:05)", drawn by the reader's client. */
export function age(at: Date): string {
  return moment(at, '{ago} ({date_short_pretty} at {time})');
}

/** Cuts finished mrkdwn without leaving half an entity or half a `<…>` behind. */
export function cutMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = cut(text, max).slice(0, -1);
  return `${kept.replace(/<[^>]*$/, '').replace(/&[a-z]*$/, '')}…`;
}

/** Finished mrkdwn for a place that shows plain text, where marks and `&amp;` would stay as they are. */
export function stripMarkup(mrkdwn: string): string {
  return unescapeMrkdwn(mrkdwn.replaceAll(/[*`]/g, ''));
}

/** The person that a person typed: Slack sends `<@U1|name>` for `@name`. */
export function mentionedUser(typed: string): string | undefined {
  return /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(typed.trim())?.[1];
}

/**
 * What a person typed, where Slack has made links of addresses and of names of hosts:
 * `<mailto:kim@x.example|kim@x.example>`, `<http://vm-12.example|vm-12.example>`, `<https://x.example>`.
 */
export function stripLinks(typed: string): string {
  return typed.replaceAll(
    /<(?:mailto:|tel:|(?=https?:))([^|>]*)(?:\|([^>]*))?>/g,
    (_, address: string, label: string | undefined) => label || address,
  );
}
