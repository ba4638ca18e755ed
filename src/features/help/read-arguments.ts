import { isAlertFilter } from '../alerts/index.ts';
import { nouns } from './grammar.ts';
import { cleanFilter, dropFirst, keyOf, lower } from './words.ts';

/** The argument of `digest`. */
export function digestWords(rest: string[]): string[] {
  const [first = ''] = rest;
  if (['now', 'preview', 'send', 'today', 'run'].includes(lower(first))) return ['now'];
  return dropFirst(rest, ['all', 'list']);
}

const scheduleWords =
  /^(?:at|on|each|every|hourly|daily|nightly|weekly|monthly|here|today|tonight|tomorrow|\w+days?|\d.*)$/i;

/** What a new digest is about; not when it is posted, which its form asks for. */
export function digestFilter(rest: string[]): string[] {
  const words = cleanFilter(rest);
  const [first = ''] = words;
  if (scheduleWords.test(first)) return [];
  const isQuoted = /^["“„«]/.test(first);
  return isQuoted || words.length === 1 || isAlertFilter(words.join(' ')) ? words : [];
}

export function drillWords(rest: string[]): string[] {
  const isReport = rest.some(
    (word) => keyOf(nouns, word) === 'digest' || lower(word) === 'results',
  );
  return isReport ? ['report'] : dropFirst(rest, ['all', 'list']);
}

export function requestWords(rest: string[]): string[] {
  const name = lower(rest[0] ?? '');
  if (['pending', 'approve', 'todo', 'inbox'].includes(name)) return ['waiting'];
  if (['my', 'me', 'own'].includes(name)) return ['mine'];
  return ['open', 'list'].includes(name) ? [] : rest;
}
