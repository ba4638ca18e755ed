import type { Clock } from '../../clock.ts';
import type { ComplianceStatistics } from '../../dataprotection/resources/compliance.ts';
import {
  comparedDaysAgo,
  type DaysAgo,
  dayOf,
  type HistoryPoint,
  type HistoryReading,
  historyPoints,
  lastOfDays,
  type Period,
} from './history.ts';
import type { PolicyName, PolicyReading } from './read-compliance.ts';
import type { ComplianceHistory } from './store/compliance-history.ts';

export type HistoryDependencies = { history: ComplianceHistory; clock: Clock };

export type HistoryInput = {
  connectionId: string;
  period: Period;
  /** The person's: their calendar days are shown. */
  timeZone: string | undefined;
};

/** Noncompliant volumes now and then, over the policies whose counts are known at both times. */
export type Comparison = {
  daysAgo: DaysAgo;
  /** Undefined if nothing can be compared. */
  difference: number | undefined;
  /** Number of policies whose count is known at one of the times only. */
  uncomparedCount: number;
};

export type History = { period: Period; points: HistoryPoint[]; comparisons: Comparison[] };

export async function readPolicyHistory(
  policy: PolicyName,
  statistics: ComplianceStatistics,
  { connectionId, period, timeZone }: HistoryInput,
  { history, clock }: HistoryDependencies,
): Promise<History> {
  const now = clock();
  const today = dayOf(now, timeZone);
  const stored = await history.readPolicy(connectionId, policy.id, now);
  const days = lastOfDays([...stored, { takenAt: now, counts: statistics }], timeZone);
  return {
    period,
    points: historyPoints(days, { period, today }),
    comparisons: comparedDaysAgo.map((daysAgo) => ({
      daysAgo,
      difference: subtract(
        statistics.nonCompliantCount,
        days.get(today - daysAgo)?.counts.nonCompliantCount,
      ),
      uncomparedCount: 0,
    })),
  };
}

/** `sinceYesterday`: the change of each policy's noncompliant count, by id, where it is known. */
export type ListHistory = History & { sinceYesterday: Map<string, number> };

export async function readListHistory(
  readings: PolicyReading[],
  { connectionId, period, timeZone }: HistoryInput,
  { history, clock }: HistoryDependencies,
): Promise<ListHistory> {
  const now = clock();
  const today = dayOf(now, timeZone);
  const totals = await history.readTotals(connectionId, now);
  const stored = lastOfDays(totals, timeZone);
  const times = comparedDaysAgo.flatMap((daysAgo) => stored.get(today - daysAgo)?.takenAt ?? []);
  const counts = await history.readCounts(connectionId, times);
  const countsAt = (daysAgo: DaysAgo) => {
    const takenAt = stored.get(today - daysAgo)?.takenAt.getTime();
    const then = counts.filter((one) => one.takenAt.getTime() === takenAt);
    return new Map(then.map(({ policyId, nonCompliantCount }) => [policyId, nonCompliantCount]));
  };
  const current = readings.map(({ policy, reading }) => ({
    policyId: policy.id,
    count: reading.outcome === 'read' ? reading.statistics.nonCompliantCount : undefined,
  }));
  const yesterday = countsAt(1);
  const days = lastOfDays([...totals, ...totalNow(readings, now)], timeZone);
  return {
    period,
    points: historyPoints(days, { period, today }),
    comparisons: comparedDaysAgo.map((daysAgo) => compare(current, countsAt(daysAgo), daysAgo)),
    sinceYesterday: new Map(
      current.flatMap(({ policyId, count }) => {
        const difference = subtract(count, yesterday.get(policyId));
        return difference === undefined ? [] : [[policyId, difference]];
      }),
    ),
  };
}

/** Empty if a policy couldn't be read: a sum without it would look like a change. */
function totalNow(readings: PolicyReading[], takenAt: Date): HistoryReading[] {
  if (readings.some(({ reading }) => reading.outcome === 'failed')) return [];
  const sum = (count: 'nonCompliantCount' | 'unprotectedCount' | 'compliantCount') => {
    const known = readings.flatMap(({ reading }) =>
      reading.outcome === 'read' ? (reading.statistics[count] ?? []) : [],
    );
    return known.length === 0 ? undefined : known.reduce((total, one) => total + one, 0);
  };
  const counts = {
    nonCompliantCount: sum('nonCompliantCount'),
    unprotectedCount: sum('unprotectedCount'),
    compliantCount: sum('compliantCount'),
  };
  return [{ takenAt, counts }];
}

function compare(
  current: { policyId: string; count: number | undefined }[],
  then: Map<string, number | undefined>,
  daysAgo: DaysAgo,
): Comparison {
  const now = new Map(current.map(({ policyId, count }) => [policyId, count]));
  const ids = [...new Set([...now.keys(), ...then.keys()])];
  const known = ids.filter((id) => now.get(id) !== undefined || then.get(id) !== undefined);
  const differences = known.flatMap((id) => subtract(now.get(id), then.get(id)) ?? []);
  if (differences.length === 0) return { daysAgo, difference: undefined, uncomparedCount: 0 };
  return {
    daysAgo,
    difference: differences.reduce((sum, one) => sum + one, 0),
    uncomparedCount: known.length - differences.length,
  };
}

function subtract(now: number | undefined, then: number | undefined): number | undefined {
  return now === undefined || then === undefined ? undefined : now - then;
}
