import { costsAt, type MeasuredCosts } from '../measured-costs.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { type BelayLimits, belayLimits } from './belay-limits.ts';
import { createHistogram, type Histogram } from './histogram.ts';
import { type Environment, fullRates } from './rates.ts';

/** What people and the service do in a second, beside the polls, which Belay repeats by itself. */
export type Demand = {
  digests: number;
  commands: number;
  decisions: number;
  alertsStored: number;
  alertsChanged: number;
  /** Messages about alerts. */
  posts: number;
};

export type Plan = {
  costs: MeasuredCosts;
  environment: Environment;
  workspaces: number;
  replicas: number;
  /** Other than those of this version. */
  limits?: BelayLimits;
  /** How long, and how much of that at the beginning isn't recorded. Seconds. */
  seconds: number;
  warmUpSeconds?: number;
  demandAt: (second: number) => Partial<Demand>;
  /** Whether the polls of all workspaces are due at the beginning, or spread over an interval. */
  firstPolls: 'at once' | 'spread' | 'none';
  /** The length of a period of the result, in seconds. */
  periodSeconds: number;
};

/** What happened in a period. */
export type Period = {
  polls: number;
  /** Seconds from when a poll was due until it began. */
  pollLateness: Histogram;
  digests: number;
  /** Seconds from when a digest was due until it was posted. */
  digestLateness: Histogram;
  statements: number;
  /** Processor time. */
  belayMs: number;
  postgresMs: number;
};

const stepSeconds = 0.25;
/** The minimum share of a processor for background work, however much people do. */
const minBackgroundShare = 0.05;

/** Moves time on in steps of a quarter of a second. */
export function simulate(given: Plan): Period[] {
  const plan = { ...given, costs: costsAt(given.costs, given.workspaces) };
  const { costs, environment, replicas, seconds, warmUpSeconds = 0, periodSeconds } = plan;
  const { limits = belayLimits } = plan;
  const rates = fullRates(costs, environment, limits);
  const polls = createBacklog();
  const digests = createBacklog();
  const posts = createBacklog();
  addFirstPolls(polls, plan);
  const processes = Array.from({ length: replicas }, (_, index) => ({
    // Evenly apart, as those of processes that started at any time.
    phase: index / replicas,
    isPolling: false,
    digestsLeft: 0,
  }));
  const periods: Period[] = [];

  for (let step = 0; step * stepSeconds < seconds; step += 1) {
    const now = step * stepSeconds;
    const end = now + stepSeconds;
    const demand = plan.demandAt(Math.floor(now));
    digests.add(now, (demand.digests ?? 0) * stepSeconds);
    const period = now < warmUpSeconds ? newPeriod() : periodAt(now - warmUpSeconds);
    const pollsDue = polls.due(now) > 0;
    const digestsDue = digests.due(now) > 0;
    let [polling, running, callsLeft] = [0, 0, 0];
    for (const one of processes) {
      const { phase } = one;
      if (pollsDue && ticks(now, limits.pollTick, phase)) one.isPolling = true;
      if (digestsDue && one.digestsLeft === 0 && ticks(now, limits.digestTick, phase)) {
        one.digestsLeft = limits.digestsPerLook;
      }
      if (one.isPolling) polling += 1;
      if (one.digestsLeft > 0) running += 1;
      callsLeft += one.digestsLeft;
    }
    const wanted = {
      polls: polling * rates.polls * stepSeconds,
      digests: Math.min(running * rates.digests * stepSeconds, callsLeft),
    };
    const people = peopleUse(demand, plan);
    const share = shareFor(wanted, {
      people,
      plan,
      rates,
      polls: polls.due(end),
      digests: digests.due(end),
    });

    const polled = polls.take(wanted.polls * share.polls, end, (count, dueAt) => {
      period.pollLateness.add(end - dueAt, count);
      polls.add(end + limits.pollInterval, count);
    });
    if (polls.due(end) === 0) for (const one of processes) one.isPolling = false;
    const collected = digests.take(wanted.digests * share.digests, end, (count, dueAt) => {
      posts.add(dueAt, count);
    });
    const isCollected = digests.due(end) === 0;
    for (const one of running > 0 ? processes : []) {
      one.digestsLeft = Math.max(0, one.digestsLeft - collected / running);
      if (isCollected || one.digestsLeft < 1e-6) one.digestsLeft = 0;
    }
    const room = rates.posts * replicas * stepSeconds - (demand.posts ?? 0) * stepSeconds;
    const posted = posts.take(Math.max(0, room), end, (count, dueAt) => {
      period.digestLateness.add(end + environment.slackMs / 1000 - dueAt, count);
    });

    period.polls += polled;
    period.digests += posted;
    for (const name of ['statements', 'belayMs', 'postgresMs'] as const) {
      period[name] += people[name] + polled * costs.poll[name] + collected * costs.digest[name];
    }
  }
  return periods;

  function periodAt(second: number): Period {
    const index = Math.floor(second / periodSeconds);
    const period = periods[index] ?? newPeriod();
    periods[index] = period;
    return period;
  }
}

function newPeriod(): Period {
  return {
    polls: 0,
    digests: 0,
    statements: 0,
    belayMs: 0,
    postgresMs: 0,
    pollLateness: createHistogram(stepSeconds),
    digestLateness: createHistogram(1),
  };
}

function addFirstPolls(
  polls: Backlog,
  { workspaces, firstPolls, limits = belayLimits }: Plan,
): void {
  if (firstPolls === 'at once') polls.add(0, workspaces);
  if (firstPolls !== 'spread') return;
  const steps = limits.pollInterval / stepSeconds;
  for (let step = 0; step < steps; step += 1) polls.add(step * stepSeconds, workspaces / steps);
}

/** Whether a process whose timer has this phase looks for work in this step. */
function ticks(now: number, every: number, phase: number): boolean {
  const before = Math.floor((now - stepSeconds) / every + phase);
  return now === 0 ? phase === 0 : Math.floor(now / every + phase) > before;
}

/** What people, alerts and idle replicas use in a step. They are served before polls and digests. */
function peopleUse(demand: Partial<Demand>, { costs, workspaces, replicas }: Plan) {
  const { commands = 0, decisions = 0, alertsStored = 0, alertsChanged = 0 } = demand;
  const perSecond = (name: 'statements' | 'belayMs' | 'postgresMs') =>
    commands * costs.command[name] +
    decisions * costs.decision[name] +
    alertsStored * costs.alertStored[name] +
    alertsChanged * costs.alertChanged[name] +
    replicas * costs.idleReplicaSecond[name] +
    (workspaces * costs.idleWorkspaceMinute[name]) / 60;
  return {
    statements: perSecond('statements') * stepSeconds,
    belayMs: perSecond('belayMs') * stepSeconds,
    postgresMs: perSecond('postgresMs') * stepSeconds,
  };
}

type Wanted = { polls: number; digests: number };

/** The part of the wanted polls and digests for which connections and processors suffice. */
function shareFor(
  wanted: Wanted,
  {
    people,
    plan,
    rates,
    ...due
  }: Wanted & {
    people: { belayMs: number; postgresMs: number };
    plan: Plan;
    rates: Wanted;
  },
): Wanted {
  const { costs, environment, replicas } = plan;
  const polls = Math.min(wanted.polls, due.polls);
  const digests = Math.min(wanted.digests, due.digests);
  const stepMs = stepSeconds * 1000;
  const connections = (polls / rates.polls + digests / rates.digests) / (replicas * stepSeconds);
  const part = (name: 'belayMs' | 'postgresMs', capacityMs: number) => {
    const needed = polls * costs.poll[name] + digests * costs.digest[name];
    const left = Math.max(capacityMs - people[name], capacityMs * minBackgroundShare);
    return needed === 0 ? 1 : left / needed;
  };
  const share = Math.min(
    1,
    connections > 0 ? 1 / connections : 1,
    part('belayMs', replicas * stepMs),
    part('postgresMs', environment.databaseCores * stepMs),
  );
  // A share of what is due, as a share of what was wanted.
  return {
    polls: wanted.polls > 0 ? (polls * share) / wanted.polls : 0,
    digests: wanted.digests > 0 ? (digests * share) / wanted.digests : 0,
  };
}
