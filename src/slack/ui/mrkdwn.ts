import { cut } from './limits.ts';
import {
  codePoint,
  isVisible,
  readCodePoints,
  showExactly,
  showHidden,
  showWords,
} from './visible.ts';

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

/** Every character that formats text in mrkdwn, by what looks like it and formats nothing. */
const lookalikes = new Map([
  ['*', '∗'],
  ['_', 'ˍ'],
  ['~', '∼'],
  ['`', 'ˋ'],
  [':', '꞉'],
  ['>', '›'],
]);
const originals = new Map([...lookalikes].map(([original, lookalike]) => [lookalike, original]));
const lookalike = /[∗ˍ∼ˋ꞉›]/g;

/**
 * Where those characters would format: `_` not within a word, `:` in `:name:`, `>` before a line.
 * No name of an emoji has an en dash, as "22:00–06:00" has. No part looks further than the next of its
 * kind, so that long text takes linear time.
 */
const markup = /[*~`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=[^\s:–]*:)|^[ >]+/gmu;

/**
 * Shows text as typed, without bold, code, quotes or emoji: what would format is replaced by a
 * look-alike, and a look-alike by its code point, so that `readShown` can tell them apart.
 */
function withoutMarkup(shown: string): string {
  return shown
    .replaceAll(lookalike, codePoint)
    .replaceAll(markup, (found) => Array.from(found, (one) => lookalikes.get(one) ?? one).join(''));
}

function withoutLookalikes(shown: string): string {
  return shown.replaceAll(lookalike, (found) => originals.get(found) ?? found);
}

/** Cuts to `max` visible characters, before the text is escaped. */
function cutShown(shown: string, max: number): string {
  if (shown.length <= max) return shown;
  return `${cut(shown, max)
    .slice(0, -1)
    .replace(/(?:⟨[^⟩]*|_+)$/, '')}…`;
}

/**
 * Text that `show` makes visible, without markup and cut to `max` visible characters. Shows no more of it
 * than can be seen then: that joins line breaks of two characters and shortens nothing else.
 */
function showCut(text: string, max: number, show: (text: string) => string): string {
  return cutShown(withoutMarkup(show(cut(text, 3 * max))), max);
}

/**
 * Text of people or the service, escaped, on one line and cut to `max` visible characters. Escaping can
 * make it five times as long, so `max` has to stay well under a block's limit, or the whole be cut with
 * `cutMrkdwn`.
 */
export function safe(text: string, max = 300): string {
  return safeProse(text.replaceAll(/\s+/g, ' ').trim(), max);
}

/** The same with its line breaks, for a place where no line of it can be taken for one of Belay. */
export function safeProse(text: string, max = 300): string {
  return escapeMrkdwn(showCut(text, max, showHidden));
}

/** Any text on one line, shown exactly, unless it is cut to `max` visible characters. */
export function exactly(text: string, max = 300): string {
  return escapeMrkdwn(showCut(text, max, showExactly));
}

/** Plain text that shows nothing hidden, as mrkdwn that looks the same. */
export function plainAsMrkdwn(shown: string): string {
  return escapeMrkdwn(withoutMarkup(shown));
}

/** A name on one line, shown exactly, unless it is cut to `max` visible characters. */
export function safeName(text: string, max = 300): string {
  return isVisible(text) ? exactly(text, max) : '(no name)';
}

export function bold(text: string, max = 300): string {
  return `*${safeName(text, max)}*`;
}

/** For what a reader may type or copy. In code nothing else formats. */
export function code(text: string, max = 300): string {
  if (!isVisible(text)) return '`(empty)`';
  const shown = showExactly(cut(text, 3 * max))
    .replaceAll(lookalike, codePoint)
    .replaceAll('`', 'ˋ');
  return `\`${escapeMrkdwn(cutShown(shown, max))}\``;
}

/** The text that `exactly`, `safeName`, `bold` or `code` shows, if it was not cut. */
export function readShown(mrkdwn: string): string {
  const shown = /^(?<mark>[*`])(?<text>.*)\k<mark>$/u.exec(mrkdwn)?.groups?.text ?? mrkdwn;
  return readCodePoints(withoutLookalikes(unescapeMrkdwn(shown)));
}

/**
 * What a person wrote, as a quotation: plain, every line marked, so that it can't be taken for a line
 * of Belay. `max` counts visible characters.
 */
export function quote(text: string, max = 1000): string {
  return showCut(text.trim(), max, showWords)
    .replaceAll(/\n{3,}/g, '\n\n')
    .split('\n')
    .map((line) => `> ${escapeMrkdwn(line)}`)
    .join('\n');
}

/** The same on one line, in quotation marks that nothing inside can close. */
export function quoteInline(text: string, max = 200): string {
  const oneLine = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[“”„‟«»]/g, '"')
    .trim();
  return `“${escapeMrkdwn(showCut(oneLine, max, showWords))}”`;
}

/** Of a person or a user group (`S…`). */
export function mention(slackId: string): string {
  return slackId.startsWith('S') ? `<!subteam^${slackId}>` : `<@${slackId}>`;
}

export function channelMention(channelId: string): string {
  return `<#${channelId}>`;
}

/** `label` is Belay's own; the address must come from the configuration, never from the service. */
export function link(url: string, label: string): string {
  return `<${escapeMrkdwn(url).replaceAll('|', '%7C')}|${label}>`;
}

/**
 * A date in the reader's time zone, with UTC as the fallback.
 * https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function moment(at: Date, format = '{date_short_pretty} at {time}'): string {
  const unix = Math.floor(at.getTime() / 1000);
  return `<!date^${unix}^${format}|${at.toISOString().replace('T', ' ').slice(0, 16)} UTC>`;
}

/** Renders as "3 hours ago", and stays right as time passes. */
export function age(at: Date): string {
  return moment(at, '{ago}');
}

/** Cuts mrkdwn without splitting an entity, a `<…>` token or a code point. */
export function cutMrkdwn(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = cut(text, max).slice(0, -1);
  return `${kept
    .replace(/<[^>]*$/, '')
    .replace(/&[a-z]*$/, '')
    .replace(/⟨[^⟩]*$/, '')}…`;
}

/** Turns mrkdwn into plain text, where bold, code and entities would show as typed. */
export function stripMarkup(mrkdwn: string): string {
  return withoutLookalikes(unescapeMrkdwn(mrkdwn.replaceAll(/[*`]/g, '')));
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
