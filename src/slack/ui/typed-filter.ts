import { code } from './mrkdwn.ts';
import { suggest } from './suggest.ts';

export type TypedFilter<Key extends string> = {
  values: Partial<Record<Key, string>>;
  /** What was typed without a key. */
  words: string[];
};

/**
 * What keyboards make of quotes. A single one counts at the edges of a value alone, because elsewhere
 * it is an apostrophe.
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
/** Its colon makes no filter of it. */
const link = 'https?://';
const stray = `(?<stray>[${anyQuote}])`;

/**
 * `key:value`, `key:"value with blanks"`, `key:<@U1|name>`, or any of these values alone. A person may
 * stand behind a blank, because Slack offers names only at the beginning of a word.
 */
const token = new RegExp(
  String.raw`(?:(?!${link})(?<key>\p{L}[\p{L}\d_-]*):(?:\s+(?=<@))?)?(?:${quoted}|${bare}|${stray}|(?=\s|$))`,
  'gu',
);
const word = new RegExp(`${quoted}|${bare}`, 'gu');

/**
 * Reads filters as a person types them, in any order. A key that is not one of `keys`, or one without
 * a value or with two, is a problem, told in mrkdwn; so is what looks like a filter and is none.
 * `hasWords` tells that words are looked for as they stand.
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
    const asItStands = (): string =>
      hasWords ? ` To look for ${code(whole.trim(), 60)} as it stands, put it in quotes.` : '';
    if (groups.stray !== undefined) {
      return { problem: unclosed(text.slice(match.index + whole.length - 1)) };
    }
    const value = readValue(groups).trim();
    const typed = groups.key?.toLowerCase();
    if (typed === undefined) {
      const hidden = groups.bare && hiddenKey(groups.bare, keys);
      if (hidden) return { problem: `${notFirst(value, hidden)}${asItStands()}` };
      if (value) filter.words.push(value);
      continue;
    }
    const key = keys.find((one) => one === typed);
    if (!key) return { problem: unknownKey(typed, keys, asItStands()) };
    if (!value) return { problem: `${code(`${key}:`)} needs a value right behind the colon.` };
    if (filter.values[key] !== undefined) return { problem: `${code(`${key}:`)} is there twice.` };
    filter.values[key] = value;
  }
  return filter;
}

/** Words alone, without keys. What stands in quotes stays together. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(word)].map(({ groups = {} }) => readValue(groups)).filter(Boolean);
}

/** As it can be typed again, if there is no `"` in it. */
export function quotedWhereNeeded(value: string): string {
  const isPlain = /^[^\s"“”:<>„«»'‘’‚][^\s"“”:<>]*$/.test(value);
  return isPlain ? value : `"${value}"`;
}

function readValue(groups: Record<string, string | undefined>): string {
  const { double, low, angles, turned, single, bare: plain } = groups;
  return double ?? low ?? angles ?? turned ?? single ?? plain ?? '';
}

/** The key of a filter that something stands before, such as a minus. */
function hiddenKey(typed: string, keys: readonly string[]): string | undefined {
  if (typed.startsWith('<') || new RegExp(`^${link}`).test(typed)) return undefined;
  const parts = typed.toLowerCase().split(/[^\p{L}\d_:]+/u);
  return keys.find((key) => parts.some((part) => part.startsWith(`${key}:`)));
}

function notFirst(typed: string, key: string): string {
  return `${code(typed, 60)} is no filter, because something stands before ${code(`${key}:`)}.`;
}

function unclosed(rest: string): string {
  return `${code(rest, 60)} begins with a quote that is never closed.`;
}

function unknownKey(typed: string, keys: readonly string[], asItStands: string): string {
  const near = suggest(typed, keys);
  const guess = near ? ` Did you mean ${code(`${near}:`)}?` : '';
  const known = keys.map((key) => code(`${key}:`)).join(', ');
  const more = near ? '' : asItStands;
  return `Belay knows no filter ${code(`${typed}:`, 60)}.${guess} There are: ${known}.${more}`;
}
