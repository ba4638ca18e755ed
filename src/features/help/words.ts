import type { Reading } from '../../slack/interactions/subcommand.ts';
import { unquote } from '../../slack/ui/typed-filter.ts';

/** A filter of alerts without the words around it: "any new errors right now, please?" */
export function cleanFilter(words: string[]): string[] {
  const from = countLeading(words, ['any', 'new', 'for', 'from', 'of', 'about', 'the']);
  return cleanEnd(words.slice(from));
}

/** Without what follows a request out of politeness. */
export function cleanEnd(words: string[]): string[] {
  const kept = dropPolite(words);
  const last = kept.pop();
  if (last === undefined) return kept;
  return [...kept, last.replace(/[?!.,]+$/, '')].filter(Boolean);
}

/** The same with its punctuation, which may belong to a name. */
export function dropPolite(words: string[]): string[] {
  const kept = [...words];
  while (kept.length > 0 && /^(?:please|pls|thanks|now|right)[?!.,]*$/i.test(kept.at(-1) ?? '')) {
    kept.pop();
  }
  return kept;
}

/** Words in quotation marks are a name, whatever they look like. */
export function unquoted(words: string[]): string[] {
  return [unquote(words.join(' '))];
}

/** How many of the first words are known. */
export function countLeading(words: string[], known: readonly string[]): number {
  const from = words.findIndex((word) => !known.includes(lower(word)));
  return from === -1 ? words.length : from;
}

/** Without the first word, if it is one of these. */
export function dropFirst(rest: string[], words: string[]): string[] {
  const [first = '', ...others] = rest;
  return words.includes(lower(first)) ? others : rest;
}

/** The reading of a subcommand and its arguments. */
export function line(name: string, rest: string[] = []): Reading {
  return { line: [name, ...rest].filter(Boolean).join(' ') };
}

/** The key whose words have this one. */
export function keyOf<Key extends string>(
  table: Readonly<Record<Key, readonly string[]>>,
  typed: string,
): Key | undefined {
  for (const key in table) if (table[key].includes(lower(typed))) return key;
  return undefined;
}

export function lower(word: string): string {
  return word.toLowerCase();
}
