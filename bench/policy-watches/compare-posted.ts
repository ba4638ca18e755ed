import { countBy } from '../replicas/statistics.ts';
import { nameOf } from './name-changes.ts';

/** Not the name before another change of the same policy, which stands before an arrow. */
const newName = /change-\d{4}(?!\d| →)/g;

const ownTitle = /^Policy changed outside Belay/;
const summaryTitle = /^(\d+) policy changes outside Belay/;

/** All changes that were found together with one, by the name of each. */
export type Readings = ReadonlyMap<string, string[]>;

/**
 * The changes that a message reports, once for each time: a message about one change names it in its
 * title and its lines. A summary names the first in a line each and counts the others, which are those
 * that were found in the same reading, if their number is that of its title.
 */
export function changesIn(text: string, readings: Readings): string[] {
  const namesIn = (part: string) => [...new Set(part.match(newName))];
  if (ownTitle.test(text)) return namesIn(text);
  const named = text.split('\n').flatMap(namesIn);
  const together = readings.get(named[0] ?? '') ?? [];
  const isWhole = together.length === Number(summaryTitle.exec(text)?.[1]);
  return isWhole ? [...named, ...together.filter((name) => !named.includes(name))] : named;
}

/**
 * Every change must be posted, and once: but for a copy of each that was in Slack, and not recorded,
 * when its process was killed. Slack can't tell Belay which messages it has.
 */
export function comparePosted({
  changeCount,
  posted,
  unrecorded,
}: {
  changeCount: number;
  posted: string[];
  unrecorded: string[];
}): { missed: number; copies: number; violations: string[] } {
  const times = countBy(posted, (change) => change);
  const allowed = countBy(unrecorded, (change) => change);
  const made = Array.from({ length: changeCount }, (_, change) => nameOf(change));
  const missed = made.filter((change) => !times[change]);
  const copiesOf = (change: string) => Math.max(0, (times[change] ?? 0) - 1);
  const repeated = made.filter((change) => copiesOf(change) > (allowed[change] ?? 0));
  const unknown = Object.keys(times).filter((change) => !made.includes(change));
  return {
    missed: missed.length,
    copies: made.reduce((sum, change) => sum + copiesOf(change), 0),
    violations: [
      ...missed.map((change) => `${change} was not posted`),
      ...repeated.map((change) => `${change} was posted ${times[change]} times`),
      ...unknown.map((change) => `${change} was posted, and nobody made it`),
    ],
  };
}
