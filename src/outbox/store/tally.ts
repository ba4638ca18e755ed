import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { Selectable } from 'kysely';
import { storable } from '../../database/canonical-text.ts';
import type { Group, Outgoing } from '../message.ts';
import type { Span } from '../outbox-store.ts';
import type { DeliverySummaryTable } from './tables.ts';

/** A service that calls every alert something else does not make the row grow with the storm. */
const maxFacets = 50;
const otherFacet = 'other';

/** Without a span not everything counted tells when it was raised. */
type Tally = { title: string; counts: Map<string, number>; raised: Span | undefined };

/** What is to be counted, by group. */
export function tallyUp(counted: Outgoing[], at: Date): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { group } of counted) {
    if (!group) continue;
    const tally = tallies.get(group.key);
    const counts = tally?.counts ?? new Map<string, number>();
    add(counts, storable(group.facet), 1);
    const moment = raisedMoment(group, at);
    const itself = moment && { from: moment, to: moment };
    const raised = tally ? spanOfBoth(tally.raised, itself) : itself;
    tallies.set(group.key, { title: group.title, counts, raised });
  }
  return tallies;
}

/** A service whose clock is ahead, or is not set, does not make people read what cannot be. */
function raisedMoment({ raisedAt }: Group, at: Date): Date | undefined {
  if (!raisedAt || raisedAt.getTime() <= 0) return undefined;
  return min([raisedAt, at]);
}

/** What is known of one part only is not said of both. */
export function spanOfBoth(one: Span | undefined, other: Span | undefined): Span | undefined {
  if (!one || !other) return undefined;
  return { from: min([one.from, other.from]), to: max([one.to, other.to]) };
}

/** When all that a summary counts was raised, unless some of it tells no time. */
export function raisedSpan({
  raised_from: from,
  raised_to: to,
}: Pick<Selectable<DeliverySummaryTable>, 'raised_from' | 'raised_to'>): Span | undefined {
  return from && to ? { from, to } : undefined;
}

export function totalOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function addUp(
  before: Record<string, number>,
  more: Map<string, number>,
): Map<string, number> {
  const sum = new Map(Object.entries(before));
  for (const [facet, count] of more) add(sum, facet, count);
  return sum;
}

function add(counts: Map<string, number>, facet: string, count: number): void {
  const key = counts.has(facet) || counts.size < maxFacets ? facet : otherFacet;
  counts.set(key, (counts.get(key) ?? 0) + count);
}
