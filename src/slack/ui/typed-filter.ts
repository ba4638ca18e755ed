import { code } from './mrkdwn.ts';
import { suggest } from './suggest.ts';

/** One that is in quotation marks is text, whatever it looks like. */
export type TypedWord = { text: string; isQuoted: boolean };

export type TypedFilter<Key extends string> = {
  values: Partial<Record<Key, string>>;
  /** What was typed without a key, such as search words. */
  words: TypedWord[];
};

/**
 * Keyboards produce many kinds of quotation marks. A single one counts only at the edges of a value,
 * because elsewhere it is an apostrophe.
 */
const quoted = [
  '["“”](?<double>[^"“”]*)["“”]',
  '„(?<low>[^"“”]*)["“”]',
  '«(?<angles>[^»]*)»',
  '»(?<turned>[^«]*)«',
  String.raw`['‘’‚](?<single>.*?)['‘’](?=\s|$)`,
].join('|');
const anyQuote = `"“”„«»'‘’‚`;
const bare = String.raw`(?<bare><[^>]*>|[^\s${anyQuote}][^\s"“”]*)`;
/** The colon in a link does not make it a filter. */
const link = 'https?://';
const openQuote = `(?<openQuote>[${anyQuote}])`;

/**
 * `key:value` or `key=value`, `key:"value with spaces"`, `key:<@U1|name>`, or any of these values alone. A space may
 * precede a mention, because Slack completes names only at the beginning of a word.
 */
const token = new RegExp(
  String.raw`(?:(?!${link})(?<key>\p{L}[\p{L}\d_-]*)(?<sign>[:=])(?:\s+(?=<@))?)?(?:${quoted}|${bare}|${openQuote}|(?=\s|$))`,
  'gu',
);
const word = new RegExp(`${quoted}|${bare}`, 'gu');

/**
 * Parses typed filters, in any order. Returns a `problem` in mrkdwn for an unknown key, a key without
 * a value or with two, a value that goes on after a comma and a space, an unclosed quote, and for text
 * that only looks like a filter.
 * `hasWords`: words without a key are searched for, so the problem says how to quote them.
 */
export function parseTypedFilter<Key extends string>(
  text: string,
  keys: readonly Key[],
  { hasWords = false }: { hasWords?: boolean } = {},
): TypedFilter<Key> | { problem: string } {
  const filter: TypedFilter<Key> = { values: {}, words: [] };
  for (const match of text.matchAll(token)) {
    const [whole] = match;
    const { groups = {} } = match;
    const quoteHint = (): string =>
      hasWords ? ` To search for ${code(whole.trim(), 60)} itself, put it in quotation marks.` : '';
    if (groups.openQuote !== undefined) {
      return { problem: openQuoteProblem(text.slice(match.index + whole.length - 1)) };
    }
    const value = readValue(groups).trim();
    const typed = groups.key?.toLowerCase();
    if (typed === undefined) {
      const hidden = groups.bare && hiddenKey(groups.bare, keys);
      if (hidden) return { problem: `${hiddenKeyProblem(value, hidden)}${quoteHint()}` };
      if (value) filter.words.push({ text: value, isQuoted: groups.bare === undefined });
      continue;
    }
    const key = keys.find((one) => one === typed);
    if (!key && groups.sign === '=') {
      filter.words.push({ text: whole.trim(), isQuoted: false });
      continue;
    }
    if (!key) return { problem: unknownKeyProblem(typed, keys, quoteHint()) };
    if (!value) return { problem: missingValueProblem(key) };
    const rest = groups.bare?.endsWith(',')
      ? wordsUntilKey(text.slice(match.index + whole.length))
      : '';
    if (rest) return { problem: commaProblem(key, value, rest) };
    if (filter.values[key] !== undefined) return { problem: `Use ${code(`${key}:`)} only once.` };
    filter.values[key] = value;
  }
  return filter;
}

/** Splits text without keys into words. Quoted words stay together. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(word)].map(({ groups = {} }) => readValue(groups)).filter(Boolean);
}

/** Text in quotation marks without them. Other text stays as it is. */
export function unquote(text: string): string {
  const [, inside = text] = /^["“”„«»‘’']([^"“”„«»]*)["“”„«»‘’']$/.exec(text) ?? [];
  return inside;
}

/** The value as it would be typed. A value that contains `"` can't be. */
export function quoteIfNeeded(value: string): string {
  const isPlain = /^[^\s"“”:<>„«»'‘’‚][^\s"“”:<>]*$/.test(value);
  return isPlain ? value : `"${value}"`;
}

function readValue(groups: Record<string, string | undefined>): string {
  const { double, low, angles, turned, single, bare: plain } = groups;
  return double ?? low ?? angles ?? turned ?? single ?? plain ?? '';
}

/** The key of a filter with something in front of it, such as a minus. */
function hiddenKey(typed: string, keys: readonly string[]): string | undefined {
  if (typed.startsWith('<') || new RegExp(`^${link}`).test(typed)) return undefined;
  const parts = typed.toLowerCase().split(/[^\p{L}\d_:]+/u);
  return keys.find((key) => parts.some((part) => part.startsWith(`${key}:`)));
}

/** What follows a value, up to the next key, without quotation marks. */
function wordsUntilKey(text: string): string {
  const words = text.trim().split(/\s+/);
  const end = words.findIndex((one) => /^\p{L}[\p{L}\d_-]*:/u.test(one));
  const until = words.slice(0, end === -1 ? words.length : end);
  return until.join(' ').replaceAll(/["“”]/g, '');
}

function commaProblem(key: string, value: string, rest: string): string {
  const meant = code(`${key}:"${value} ${rest}"`, 150);
  return `${code(`${key}:${value}`, 60)} ends with a comma. Put a value with spaces in quotation marks: ${meant}.`;
}

export function missingValueProblem(key: string): string {
  return `Type a value right after ${code(`${key}:`)}.`;
}

function hiddenKeyProblem(typed: string, key: string): string {
  return `${code(typed, 60)} isn't a filter. Remove the text before ${code(`${key}:`)}.`;
}

function openQuoteProblem(rest: string): string {
  return `${code(rest, 60)} has no closing quotation mark.`;
}

function unknownKeyProblem(typed: string, keys: readonly string[], quoteHint: string): string {
  const near = suggest(typed, keys);
  const hint = near ? ` Did you mean ${code(`${near}:`)}?` : '';
  const known = keys.map((key) => code(`${key}:`)).join(', ');
  const more = near ? '' : quoteHint;
  return `Unknown filter ${code(`${typed}:`, 60)}.${hint} Filters: ${known}.${more}`;
}
