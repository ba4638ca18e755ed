import leven from 'leven';
import { code } from '../../slack/ui/mrkdwn.ts';
import type { TypedFilter, TypedWord } from '../../slack/ui/typed-filter.ts';
import { dayNames, isSince } from '../../slack/ui/typed-since.ts';
import type { AlertValues } from './known-values.ts';

/** What a word without a key means as a status. */
const statusWords: Record<string, 'active' | 'cleared' | 'all'> = {
  active: 'active',
  open: 'active',
  unresolved: 'active',
  cleared: 'cleared',
  resolved: 'cleared',
  closed: 'cleared',
  all: 'all',
  any: 'all',
  everything: 'all',
};

/** Said of severities elsewhere. A service may have them too. */
const otherSeverities =
  'critical crit fatal emergency severe major minor high medium low info information err errs warn warns'.split(
    ' ',
  );

const units = {
  h: ['h', 'hr', 'hrs', 'hour', 'hours'],
  d: ['d', 'day', 'days'],
  w: ['w', 'wk', 'week', 'weeks'],
};
const unitWords = Object.values(units).flat();
const unitOf = (name: string) =>
  Object.entries(units).find(([, names]) => names.includes(name))?.[0] ?? '';
const unitNames = unitWords.join('|');
const ageWords = new RegExp(
  String.raw`^(?<lead>(?:in )?(?:the )?(?:last|past|this|since) )?(?:(?<amount>\d{1,4}) ?(?<unit>${unitNames})|(?<single>${unitNames})|(?<named>\S+))(?= |$)`,
);
/** "in the last 24 hours" */
const maxAgeWords = 5;

/** Words that are not about anything: `alerts` in `/belay watch alerts`. */
const emptyWords = ['alert', 'alerts'];
/** Beside others: `errors for gold`. */
const linkingWords = ['for', 'from', 'of', 'about', 'with', 'on'];
/** Between two names: `errors and warnings`. */
const joiningWords = ['and', 'or', '&'];
/** Beside others: `errors not gold`. */
const leavingOut = ['not', 'no', 'without', 'except', 'excluding', 'exclude', 'but'];
/** Of a time that `since:` can't be, such as `before monday` and `2 days ago`. */
const otherTimes = ['before', 'after', 'until', 'till', 'ago', 'older', 'newer', 'between'];
/** Refused beside others, because an empty answer would look as if all were well. */
export const refusedWords = [...leavingOut, ...otherTimes];
/** Parts of a longer expression. Alone, they are text. */
const partialWords = [
  ...refusedWords,
  ...['in', 'the', 'last', 'past', 'this'],
  ...linkingWords,
  ...joiningWords,
  ...unitWords,
];
/** Units that `since:` doesn't have. */
const otherUnit = /^(?:m|mins?|minutes?|mo|months?|y|years?)$/;
const maxTypeWords = 5;

const emptyWord: TypedWord = { text: '', isQuoted: true };

type SearchKey = 'severity' | 'status' | 'type' | 'policy' | 'since' | 'sort' | 'filter';
type Values = TypedFilter<SearchKey>['values'];

/** `words`: the text to search for. `problem` and `unlisted` as in `ParsedSearch`. */
type ReadWords =
  | { values: Values; words: string[] }
  | { problem: string; unlisted?: AlertValues | undefined };

/**
 * Takes words without a key for the filters that they name: a severity, also in the plural, a type, a
 * status, a time (`today`, `last 24 hours`), or a key and its value (`policy gold`). A word that only looks
 * like a filter is refused, because searching for it would find nothing and look as if all were well. Words
 * in quotation marks are text.
 */
export function readWords(
  { values: typed, words: typedWords }: TypedFilter<SearchKey>,
  known: AlertValues,
  keys: readonly SearchKey[],
): ReadWords {
  const words = typedWords.flatMap((word) => splitNames(word, known));
  const values: Values = { ...typed };
  const severities: string[] = [];
  const types: string[] = [];
  const text: string[] = [];
  const set = (key: SearchKey, value: string): boolean => {
    if (values[key] !== undefined && values[key] !== value) return false;
    values[key] = value;
    return true;
  };
  const names = () => severities.length + types.length;
  for (let at = 0; at < words.length; at += 1) {
    const [{ text: word, isQuoted } = emptyWord, next] = words.slice(at);
    const lower = word.toLowerCase();
    if (isQuoted) {
      text.push(word);
      continue;
    }
    if (emptyWords.includes(lower) || (linkingWords.includes(lower) && words.length > 1)) continue;
    const severity = severityOf(lower, known);
    const type = typeAt(words.slice(at), known);
    const status = Object.hasOwn(statusWords, lower) ? statusWords[lower] : undefined;
    const age = readLook(words.slice(at)) ?? readAge(words.slice(at));
    const key = keys.find((one) => one === lower);
    const isJoining = joiningWords.includes(lower) && names() > 0;
    if (isJoining && next && isName(words.slice(at + 1), known)) continue;
    // "since last week"
    if (key === 'since' && !age && readAge(words.slice(at + 1))) continue;
    if (severity) severities.push(severity);
    else if (type) {
      types.push(type.name);
      at += type.length - 1;
    } else if (status) {
      if (!set('status', status)) return { problem: onlyOnce('status') };
    } else if (age) {
      if (!set('since', age.since)) return { problem: onlyOnce('since') };
      at += age.length - 1;
    } else if (key && next) {
      const isFilter = !next.isQuoted && hasMeaning(next.text, known, keys);
      if (key === 'policy' && isFilter) return { problem: whichPolicy };
      if (key === 'severity' || key === 'type') values[key] = joined(values[key], [next.text]);
      else if (!set(key, next.text)) return { problem: onlyOnce(key) };
      at += 1;
    } else {
      const problem = lookAlike(words.slice(at), known, { isAlone: words.length === 1 });
      if (problem) return problem;
      text.push(word);
    }
  }
  if (severities.length > 0) values.severity = joined(values.severity, severities);
  if (types.length > 0) values.type = joined(values.type, types);
  return { values, words: text };
}

/** Whether the word would be read as more than text, alone or before others. */
export function hasMeaning(word: string, known: AlertValues, keys: readonly SearchKey[]): boolean {
  const lower = word.toLowerCase();
  if (partialWords.includes(lower) || keys.some((key) => key === lower)) return true;
  const read = readWords({ values: {}, words: [{ text: word, isQuoted: false }] }, known, keys);
  return 'problem' in read || read.words[0] !== word;
}

/** `error,warning` as two words, if any of them is a name. */
function splitNames(word: TypedWord, known: AlertValues): TypedWord[] {
  if (word.isQuoted || !word.text.includes(',')) return [word];
  const parts = word.text.split(',').filter(Boolean);
  const split = parts.map((text) => ({ text, isQuoted: false }));
  const isNames = parts.some(
    (text) => isName([{ text, isQuoted: false }], known) || isOtherSeverity(text.toLowerCase()),
  );
  return isNames ? split : [word];
}

function isName(words: TypedWord[], known: AlertValues): boolean {
  const [{ text, isQuoted } = emptyWord] = words;
  return !isQuoted && (severityOf(text.toLowerCase(), known) ?? typeAt(words, known)) !== undefined;
}

function severityOf(lower: string, known: AlertValues): string | undefined {
  return known.severities.find((one) => namesOf(one).includes(lower));
}

function isOtherSeverity(lower: string): boolean {
  return otherSeverities.includes(lower) || otherSeverities.includes(lower.replace(/s$/, ''));
}

/** A type at the beginning of these words, `policy_violated` or `policy violated`, and how many it takes. */
function typeAt(
  words: TypedWord[],
  known: AlertValues,
): { name: string; length: number } | undefined {
  for (let length = Math.min(maxTypeWords, words.length); length > 0; length -= 1) {
    const taken = words.slice(0, length);
    if (taken.some(({ isQuoted }) => isQuoted)) continue;
    const typed = taken.map(({ text }) => text.toLowerCase()).join('_');
    const name = known.types.find((one) => one.toLowerCase() === typed);
    if (name !== undefined) return { name, length };
  }
  return undefined;
}

function namesOf(severity: string): string[] {
  const name = severity.toLowerCase();
  return [name, `${name}s`];
}

function joined(typed: string | undefined, names: string[]): string {
  return [...(typed === undefined ? [] : [typed]), ...names].join(',');
}

/** "since I last looked", or "new" at the end. */
function readLook(words: TypedWord[]): { since: string; length: number } | undefined {
  const quotedAt = words.findIndex(({ isQuoted }) => isQuoted);
  const unquoted = quotedAt === -1 ? words : words.slice(0, quotedAt);
  const text = unquoted.map((word) => word.text.toLowerCase()).join(' ');
  const isLast = words.length === 1 && text === 'new';
  const [found] = isLast ? [text] : (/^since (?:i|my) last look(?:ed)?(?= |$)/.exec(text) ?? []);
  return found === undefined ? undefined : { since: 'last', length: found.split(' ').length };
}

/** A time at the beginning of these words, and how many of them it takes. */
function readAge(words: TypedWord[]): { since: string; length: number } | undefined {
  const quotedAt = words.findIndex(({ isQuoted }) => isQuoted);
  const unquoted = quotedAt === -1 ? words : words.slice(0, quotedAt);
  const text = unquoted.slice(0, maxAgeWords).map((word) => word.text.toLowerCase());
  const found = ageWords.exec(text.join(' '));
  if (!found) return undefined;
  const { lead, amount, unit = '', single = '', named = '' } = found.groups ?? {};
  const length = found[0].split(' ').length;
  if (amount !== undefined) return { since: `${Number(amount)}${unitOf(unit)}`, length };
  if (isSince(named)) return { since: named, length };
  // "last week", but not a volume that is called "week".
  return lead && single ? { since: `1${unitOf(single)}`, length } : undefined;
}

/** Why a word that looks like a filter is neither one nor text. */
function lookAlike(
  [{ text: word } = emptyWord, next]: TypedWord[],
  known: AlertValues,
  { isAlone }: { isAlone: boolean },
): { problem: string; unlisted?: AlertValues } | undefined {
  const lower = word.toLowerCase();
  const quote = `To search for the text, put it in quotation marks: ${code(`"${word}"`, 60)}.`;
  if (/^[-!]\p{L}/u.test(word) || (!isAlone && leavingOut.includes(lower))) {
    return { problem: `Filters can't exclude alerts: remove ${code(word, 60)}. ${quote}` };
  }
  const [, amount = '', unit = ''] = /^(\d+)(\D*)$/.exec(lower) ?? [];
  const isTime =
    (!isAlone && otherTimes.includes(lower)) ||
    (['last', 'past', 'this'].includes(lower) && next && !next.isQuoted) ||
    (amount && otherUnit.test(unit || (next && !next.isQuoted ? next.text.toLowerCase() : '')));
  if (isTime) return { problem: `${unknownTime} ${quote}` };
  const isSeverity = isOtherSeverity(lower);
  const meant = [...known.severities.flatMap(namesOf), ...known.types, ...dayNames].find(
    (name) =>
      (lower.length > 3 && leven(name, lower) === 1) || (isSeverity && name.startsWith(lower)),
  );
  if (meant)
    return { problem: `Did you mean ${code(meant)} instead of ${code(word, 60)}? ${quote}` };
  if (!isSeverity) return undefined;
  const all = known.severities.map((name) => code(name)).join(', ');
  const problem = `${code(word, 60)} isn't a severity of this service. Severities: ${all}. ${quote}`;
  return { problem, unlisted: { severities: [lower], types: [] } };
}

const whichPolicy =
  'Type the name of the policy right after `policy:`, such as `policy:gold` or `policy:"Gold tier"`.';
const unknownTime =
  'Use `last 2h`, `2d`, `1w`, `yesterday`, `monday` or a date such as `2026-11-01`.';
const onlyOnce = (key: SearchKey) =>
  `Use only one ${key === 'since' ? 'time' : key === 'sort' ? 'order' : key}.`;
