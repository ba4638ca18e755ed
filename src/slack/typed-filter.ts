import leven from 'leven';
import { code } from './mrkdwn.ts';

export type TypedFilter<Key extends string> = {
  values: Partial<Record<Key, string>>;
  /** What was typed without a key. */
  words: string[];
};

/**
 * `key:value`, `key:"value with blanks"`, `key:<@U1|name>`, or any of these values alone. A person may
 * stand behind a blank, because Slack offers names only at the beginning of a word.
 */
const token =
  /(?:(?<key>\p{L}[\p{L}\d_-]*):(?:\s+(?=<@))?)?(?:["“”](?<quoted>[^"“”]*)["“”]|(?<bare><[^>]*>|[^\s"“”]+)|(?=\s|$))/gu;

/**
 * Reads filters as a person types them, in any order. A key that is not one of `keys`, or one without
 * a value or with two, is a problem, told in mrkdwn.
 */
export function parseTypedFilter<Key extends string>(
  text: string,
  keys: readonly Key[],
): TypedFilter<Key> | { problem: string } {
  const filter: TypedFilter<Key> = { values: {}, words: [] };
  for (const { groups } of text.matchAll(token)) {
    const value = (groups?.quoted ?? groups?.bare ?? '').trim();
    const typed = groups?.key?.toLowerCase();
    if (typed === undefined) {
      if (value) filter.words.push(value);
      continue;
    }
    const key = keys.find((one) => one === typed);
    if (!key) return { problem: unknownKey(typed, keys) };
    if (!value) return { problem: `${code(`${key}:`)} needs a value right behind the colon.` };
    if (filter.values[key] !== undefined) return { problem: `${code(`${key}:`)} is there twice.` };
    filter.values[key] = value;
  }
  return filter;
}

function unknownKey(typed: string, keys: readonly string[]): string {
  const near = nearestOf(typed, keys);
  const guess = near ? ` Did you mean ${code(`${near}:`)}?` : '';
  const known = keys.map((key) => code(`${key}:`)).join(', ');
  return `Belay knows no filter ${code(`${typed}:`, 60)}.${guess} There are: ${known}.`;
}

/** The closest of the names, when it is close enough to be what was meant. */
export function nearestOf(typed: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: leven(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(1, best.name.length / 2.5) ? best.name : undefined;
}
