import { searchKeys } from '../alert-search.ts';
import type { AlertValues } from '../known-values.ts';
import { hasMeaning } from '../read-words.ts';

export const maxNameLength = 30;

/** Whether `/belay` reads a word as something else than a name: `list`, `end`. */
export type IsCommandWord = (word: string) => boolean;

/** Why a filter can't have this name, in plain text that is also mrkdwn. */
export function nameProblem(
  name: string,
  known: AlertValues,
  isCommandWord: IsCommandWord,
): string | undefined {
  const isWord = /^[\p{L}\d][\p{L}\d._-]*$/u.test(name) && name.length <= maxNameLength;
  if (!isWord)
    return `A filter's name is one word of at most ${maxNameLength} letters, digits, dots, hyphens and underscores.`;
  const hasOtherUse = ['filters', 'as', 'here'].includes(name.toLowerCase());
  return hasOtherUse || hasMeaning(name, known, searchKeys) || isCommandWord(name)
    ? `“${name}” already means something in a search, so a filter can't have this name.`
    : undefined;
}

/** `errors gold as morning`, or `… as morning here` for the channel. */
type TypedSave = { filter: string; name: string; isForChannel: boolean };

/** Undefined for text without a name. An `as` in quotation marks is text. */
export function readTypedSave(text: string): TypedSave | undefined {
  // The same length, so that what is found can be cut out of the text.
  const masked = text.replaceAll(quoted, (part) => '"'.repeat(part.length));
  const found = /(?<=^|\s)as\s+(?=\S)/i.exec(masked);
  if (!found) return undefined;
  const [name = '', ...scope] = text
    .slice(found.index + found[0].length)
    .trim()
    .split(/\s+/);
  const where = scope.join(' ').toLowerCase();
  const isForChannel = ['here', 'for this channel', 'for the channel'].includes(where);
  const isForPerson = ['', 'for me'].includes(where);
  return {
    filter: text.slice(0, found.index).trim(),
    // With what can't follow a name, which is then refused.
    name: isForChannel || isForPerson ? name.replace(/^["“”](.*)["“”]$/, '$1') : `${name} ${where}`,
    isForChannel,
  };
}

const quoted = /["“”„][^"“”]*["“”]|«[^»]*»|(?<=^|\s|:)['‘’‚].*?['‘’](?=\s|$)/g;
