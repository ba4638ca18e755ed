import type { Database } from '../../src/database/tables.ts';
import { countBy } from '../statistics.ts';

/** The name of a policy after the change with this number. Messages identify changes by these names. */
export function nameOf(change: number): string {
  return `change-${String(change).padStart(4, '0')}`;
}

/** Excludes names before an arrow: those that the change replaced. */
const newName = /change-\d{4}(?!\d| →)/g;

const ownTitle = /^:eyes: \*Policy changed outside Belay/;
const summaryTitle = /^:eyes: \*(\d+) policy changes outside Belay/;

/** For each change, the names of all changes that Belay found in the same reading of the policies. */
export type Readings = ReadonlyMap<string, string[]>;

/** Loads which changes were found in the same reading, as Belay stored them. */
export async function loadReadings(db: Database): Promise<Readings> {
  const rows = await db.selectFrom('policy_change').select(['policy_name', 'found_at']).execute();
  const together = Map.groupBy(rows, ({ found_at }) => found_at.getTime());
  return new Map(
    [...together.values()].flatMap((found) => {
      const names = found.map(({ policy_name }) => policy_name);
      return names.map((name) => [name, names] as const);
    }),
  );
}

/**
 * The changes that a message reports, repeated if it reports them several times. A message about one
 * change has its name in the title and in the lines below. A summary names the first changes, one per
 * line, and counts the rest: those of the same reading, if the count in its title matches.
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
 * Every change must be posted exactly once. A second copy is allowed if the message was in Slack, but
 * not recorded, when its process was killed: Belay can't look up messages in channels.
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
      ...unknown.map((change) => `${change} was posted but never made`),
    ],
  };
}
