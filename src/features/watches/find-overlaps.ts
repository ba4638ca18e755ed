import type { AlertSearch } from '../alerts/index.ts';
import type { Watch } from './watch.ts';

/** The other watches of a channel and connection that can post the same alerts as one with this filter. */
export function findOverlaps<Other extends Pick<Watch, 'id' | 'originId' | 'search'>>(
  { id, originId, search }: Pick<Watch, 'id' | 'originId' | 'search'>,
  watches: Other[],
): Other[] {
  return watches.filter(
    (other) =>
      other.id !== id && other.originId === originId && isOverlapping(search, other.search),
  );
}

/**
 * Whether one alert can match both filters. Different policies, and words of which neither filter's
 * contain the other's, are taken to name different things: a warning about every pair of volumes would
 * be ignored.
 */
function isOverlapping(one: AlertSearch, other: AlertSearch): boolean {
  return (
    shareName(one.severities, other.severities) &&
    shareName(one.types, other.types) &&
    isNested(listOf(one.policy), listOf(other.policy)) &&
    isNested(one.words, other.words)
  );
}

function shareName(one: string[] | undefined, other: string[] | undefined): boolean {
  return !one || !other || one.some((name) => other.includes(name));
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

/** Whether each text of one list is part of a text of the other list; also if that one is empty. */
function isNested(one: string[], other: string[]): boolean {
  return areParts(one, other) || areParts(other, one);
}

function areParts(parts: string[], wholes: string[]): boolean {
  return parts.every((part) =>
    wholes.some((whole) => whole.toLowerCase().includes(part.toLowerCase())),
  );
}
