import { max } from 'date-fns/max';
import { min } from 'date-fns/min';
import type { Group, Outgoing } from '../features/delivery/delivery.ts';
import type { Span } from '../features/delivery/delivery-store.ts';
import { storable } from './canonical-text.ts';

/** A service that calls every alert something else does not make the row grow with the storm. */
const mostFacets = 50;
const otherFacet = 'other';

type Tally = { title: string; counts: Map<string, number>; raised: Span | undefined };

/** What is to be counted, by group. */
export function tallyUp(counted: Outgoing[], at: Date): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { group } of counted) {
    if (!group) continue;
    const tally = tallies.get(group.key);
    const counts = tally?.counts ?? new Map<string, number>();
    add(counts, storable(group.facet), 1);
    const raised = widened(tally?.raised, raisedMoment(group, at));
    tallies.set(group.key, { title: group.title, counts, raised });
  }
  return tallies;
}

/** A service whose clock is ahead, or is not set, does not make people read what cannot be. */
function raisedMoment({ raisedAt }: Group, at: Date): Date | undefined {
  if (!raisedAt || raisedAt.getTime() <= 0) return undefined;
  return min([raisedAt, at]);
}

function widened(span: Span | undefined, moment: Date | undefined): Span | undefined {
  if (!span || !moment) return span ?? (moment && { from: moment, to: moment });
  return { from: min([span.from, moment]), to: max([span.to, moment]) };
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
  const key = counts.has(facet) || counts.size < mostFacets ? facet : otherFacet;
  counts.set(key, (counts.get(key) ?? 0) + count);
}
