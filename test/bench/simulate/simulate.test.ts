import { expect, test } from 'vitest';
import { costsAt, type MeasuredCosts } from '../../../bench/simulate/measured-costs.ts';
import { belayLimits } from '../../../bench/simulate/model/belay-limits.ts';
import { fullRates } from '../../../bench/simulate/model/rates.ts';
import { type Plan, simulate } from '../../../bench/simulate/model/simulate.ts';

const costs: MeasuredCosts = {
  measuredAt: '2026-11-23',
  machine: 'none',
  workspaces: 300,
  poll: { statements: 12, belayMs: 4, postgresMs: 4, requests: 1, overheadMs: 0 },
  digest: { statements: 35, belayMs: 20, postgresMs: 10, requests: 20, overheadMs: 0 },
  command: { statements: 6, belayMs: 10, postgresMs: 1 },
  decision: { statements: 150, belayMs: 60, postgresMs: 40 },
  alertStored: { statements: 1, belayMs: 0.2, postgresMs: 0.2 },
  alertChanged: { statements: 1, belayMs: 0.2, postgresMs: 0.2 },
  idleReplicaSecond: { statements: 20, belayMs: 10, postgresMs: 10 },
  pollPostgresMsPer1000: 0,
  idleWorkspaceMinute: { statements: 0, belayMs: 0, postgresMs: 0 },
};
const environment = {
  delayMs: { poll: 150, digest: 150 },
  regionShare: 1,
  slackMs: 100,
  databaseCores: 16,
};

function run(plan: Partial<Plan>) {
  const [period] = simulate({
    costs,
    environment,
    workspaces: 100,
    replicas: 1,
    seconds: 600,
    periodSeconds: 600,
    demandAt: () => ({}),
    firstPolls: 'none',
    ...plan,
  });
  if (!period) throw new Error('nothing was simulated');
  return period;
}

const digestsAtOnce = (count: number) => (second: number) =>
  second === 0 ? { digests: count } : {};

test('every digest that is due is posted once', () => {
  const { digests, digestLateness } = run({ replicas: 3, demandAt: digestsAtOnce(700) });
  expect(digests).toBeCloseTo(700);
  expect(digestLateness.count()).toBeCloseTo(700);
});

test('one process starts no more digests than one call after the other allows', () => {
  const fast = { ...environment, delayMs: { poll: 1, digest: 1 } };
  const free = { ...costs, digest: { ...costs.digest, belayMs: 1 } };
  const { digests } = run({
    costs: free,
    environment: fast,
    demandAt: digestsAtOnce(10_000),
    seconds: 60,
    periodSeconds: 60,
  });
  expect(digests).toBeCloseTo((60 / belayLimits.digestTick) * belayLimits.digestsPerLook, 0);
});

test('a few workspaces are polled at every fourth tick, because the third comes just before they are due', () => {
  const { polls, pollLateness } = run({ workspaces: 100, firstPolls: 'at once' });
  expect(pollLateness.percentile(0.5)).toBeLessThanOrEqual(belayLimits.pollTick);
  expect(polls).toBeCloseTo((100 * 600) / (belayLimits.pollInterval + belayLimits.pollTick), -2);
});

test('polls are late if there are too few replicas, and not if there are enough', () => {
  const perSecond = fullRates(costs, environment).polls;
  const workspaces = 4 * perSecond * belayLimits.pollInterval;
  const lateness = [1, 2, 4, 8].map((replicas) =>
    run({ workspaces, replicas, firstPolls: 'spread' }).pollLateness.percentile(0.99),
  );
  expect(lateness).toEqual(lateness.toSorted((a, b) => b - a));
  expect(lateness[0]).toBeGreaterThan(40);
  expect(lateness[3]).toBeLessThanOrEqual(belayLimits.pollTick);
});

test('more workspaces never need fewer statements', () => {
  const statements = [100, 500, 1000, 5000].map(
    (workspaces) => run({ workspaces, firstPolls: 'at once' }).statements,
  );
  expect(statements).toEqual(statements.toSorted((a, b) => a - b));
});

test('PostgreSQL is never busier than its cores', () => {
  const { postgresMs, polls } = run({
    workspaces: 10_000,
    replicas: 50,
    firstPolls: 'spread',
    environment: { ...environment, databaseCores: 1 },
  });
  expect(postgresMs / 600).toBeLessThanOrEqual(1000.01);
  expect(polls).toBeGreaterThan(0);
});

test('people are served before polls', () => {
  const busy = () => ({ commands: 95 });
  const { polls, belayMs } = run({ workspaces: 10_000, firstPolls: 'spread', demandAt: busy });
  expect(polls).toBeLessThan(run({ workspaces: 10_000, firstPolls: 'spread' }).polls / 2);
  expect(belayMs / 600).toBeGreaterThan(950);
});

test('a poll takes more of PostgreSQL with more workspaces, as measured', () => {
  const growing = { ...costs, pollPostgresMsPer1000: 2 };
  expect(costsAt(growing, costs.workspaces).poll.postgresMs).toBe(costs.poll.postgresMs);
  expect(costsAt(growing, costs.workspaces + 3000).poll.postgresMs).toBe(costs.poll.postgresMs + 6);
});
