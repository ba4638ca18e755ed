import { cut } from './limits.ts';

/**
 * Escapes text from people or the service, so that it can't mention anybody, form a link or open an
 * entity. https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Undoes the escaping in which Slack delivers what people type. */
export function unescapeMrkdwn(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/**
 * Removes bidirectional control characters: in a name they can make the address after it read as
 * another one. Right-to-left scripts display correctly without them.
 */
export function stripBidiControls(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, '');
}

/**
 * Escapes text and cuts it to `max` visible characters. Escaping can make it five times as long, so
 * `max` has to stay well under a block's limit, or the whole be cut with `cutMrkdwn`.
 */
export function safe(text: string, max = 300): string {
  return escapeMrkdwn(cut(stripBidiControls(text), max));
}

/**
 * Escaped text in bold. A `*` would end the bold and a backtick could start code, so both are replaced
 * by look-alikes. `_` stays, because names of systems are full of it.
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

/**
 * A date in the reader's time zone, with UTC as the fallback.
 * https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function moment(at: Date, format = '{date_short_pretty} at {time}'): string {
  const unix = Math.floor(at.getTime() / 1000);
  return `<!date^${unix}^${format}|${at.toISOString().replace('T', ' ').slice(0, 16)} UTC>`;
}

/** Renders as "3 hours ago (Today at 14:05)". */
export function age(at: Date): string {
  return moment(at, '{ago} ({date_short_pretty} at {time})');
}

/** Cuts mrkdwn without splitting an entity or a `<…>` token. */
export function cutMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = cut(text, max).slice(0, -1);
  return `${kept.replace(/<[^>]*$/, '').replace(/&[a-z]*$/, '')}…`;
}

/** Turns mrkdwn into plain text, where bold, code and entities would show as typed. */
export function stripMarkup(mrkdwn: string): string {
  return unescapeMrkdwn(mrkdwn.replaceAll(/[*`]/g, ''));
}

/** The user id in a typed mention: Slack sends `<@U1|name>` for `@name`. */
export function mentionedUser(typed: string): string | undefined {
  return /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(typed.trim())?.[1];
}

/**
 * Undoes the links that Slack makes of typed addresses and host names:
 * `<mailto:kim@x.example|kim@x.example>`, `<http://vm-12.example|vm-12.example>`, `<https://x.example>`.
 */
export function stripLinks(typed: string): string {
  return typed.replaceAll(
    /<(?:mailto:|tel:|(?=https?:))([^|>]*)(?:\|([^>]*))?>/g,
    (_, address: string, label: string | undefined) => label || address,
  );
}
