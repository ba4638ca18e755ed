import { setTimeout as wait } from 'node:timers/promises';
import { atMost } from '../aims.ts';
import { amount } from '../read-options.ts';
import { median } from '../statistics.ts';
import { measureUsage, type Usage } from '../workspaces/measure-usage.ts';
import { type ManyWorkspaces, openWorkspaces } from '../workspaces/open-workspaces.ts';
import { endPolls, isPoll, runDigests, runPolls } from '../workspaces/run-due.ts';
import { measurePollsAndDigests, type PollAndDigestCosts } from './measure-costs.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { belayLimits } from './model/belay-limits.ts';
import { type Period, type Plan, simulate } from './model/simulate.ts';
import { toTable } from './write-docs.ts';

/** How far a prediction may be off, in percent. */
const tolerance = 25;
/** Of the service, so that the two processors of this machine are not the limit. */
const delayMs = { poll: 150, digest: 25 };
const giveUpMs = 600_000;
/** More digests are not due at once, so that the check ends within minutes. */
const maxDigests = 400;

type Figures = {
  statements: number;
  belayMs: number;
  postgresMs: number;
  polls: number;
  /** Seconds between two polls of the same workspace. */
  pollEvery: number;
  digestStatements: number;
  digestBelayMs: number;
  /** Seconds from the first request for a digest until the last one was posted. */
  digestsDone: number;
};

/** PostgreSQL's processor time depends on the number of rows: it is shown, but not checked. */
const names: Record<keyof Figures, { text: string; isChecked: boolean; digits: number }> = {
  polls: { text: 'Polls', isChecked: true, digits: 0 },
  pollEvery: { text: 'Seconds from poll to poll', isChecked: true, digits: 1 },
  statements: { text: 'Statements, polls', isChecked: true, digits: 0 },
  belayMs: { text: 'Processor time of Belay, polls, ms', isChecked: true, digits: 0 },
  postgresMs: { text: 'Processor time of PostgreSQL, polls, ms', isChecked: false, digits: 0 },
  digestsDone: { text: 'Seconds until all digests are posted', isChecked: true, digits: 1 },
  digestStatements: { text: 'Statements, digests', isChecked: true, digits: 0 },
  digestBelayMs: { text: 'Processor time of Belay, digests, ms', isChecked: true, digits: 0 },
};

/** What docs/scale.md shows of them: what people notice. */
const documented: (keyof Figures)[] = ['pollEvery', 'digestsDone'];

type Size = { workspaces: number; replicas: number; windowSeconds: number; digests: number };

/**
 * Measures what polls and digests cost at one size, predicts other sizes with the model, and compares
 * that with Belay on PostgreSQL.
 */
export async function checkModel(
  serverUrl: string,
  { calibrateAt, sizes }: { calibrateAt: number; sizes: number[] },
) {
  const calibrated = await withWorkspaces(serverUrl, calibrateAt, (many) =>
    measurePollsAndDigests(many, { delayMs, digests: Math.min(calibrateAt, 150) }),
  );
  say(`Calibrated: ${JSON.stringify(calibrated)}`);
  const results = [];
  for (const workspaces of sizes) {
    const size = sizeOf(workspaces);
    const predicted = predict(calibrated, size);
    say(`${workspaces} workspaces, predicted: ${JSON.stringify(predicted)}`);
    const measured = await withWorkspaces(serverUrl, workspaces, (many) => measure(many, size));
    say(`${workspaces} workspaces, measured: ${JSON.stringify(measured)}`);
    results.push({ ...size, predicted, measured });
  }
  const keys = Object.keys(names).filter((key): key is keyof Figures => key in names);
  const rows = results.flatMap(({ workspaces, replicas, predicted, measured }) =>
    keys.map((key) => {
      const { text, isChecked, digits } = names[key];
      const off = 100 * (predicted[key] / measured[key] - 1);
      const name = `${workspaces.toLocaleString('en-US')} workspaces, ${replicas} ${replicas === 1 ? 'process' : 'processes'}: ${text}`;
      const shown = (value: number) =>
        value.toLocaleString('en-US', { maximumFractionDigits: digits });
      return {
        key,
        aims: isChecked ? [atMost(name, Math.abs(off), tolerance, '% off')] : [],
        cells: [
          name,
          ...[shown(predicted[key]), shown(measured[key])],
          `${off >= 0 ? '+' : '−'}${Math.abs(Math.round(off))}%${isChecked ? '' : ' (not checked)'}`,
        ],
      };
    }),
  );
  const columns = ['', 'Predicted', 'Measured', 'Difference'];
  const tableOf = (shown: typeof rows) =>
    toTable(
      columns,
      shown.map(({ cells }) => cells),
    );
  return {
    table: tableOf(rows),
    documented: tableOf(rows.filter(({ key }) => documented.includes(key))),
    result: { program: 'simulate --check', calibrateAt, calibrated, results },
    aims: rows.flatMap(({ aims }) => aims),
  };
}

/** Long enough for two polls of each workspace, and whole cycles of few workspaces: 20 s each. */
function sizeOf(workspaces: number): Size {
  return {
    workspaces,
    replicas: workspaces > 2000 ? 2 : 1,
    windowSeconds: workspaces > 2000 ? 130 : amount(40, 20),
    digests: Math.min(workspaces, maxDigests),
  };
}

/** Until the polls are evenly spread. */
function warmUpOf({ windowSeconds }: Size): number {
  return Math.min(40, windowSeconds / 2);
}

function predict(measured: PollAndDigestCosts, size: Size): Figures {
  const none = { statements: 0, belayMs: 0, postgresMs: 0 };
  const costs: MeasuredCosts = {
    measuredAt: '',
    machine: '',
    workspaces: 0,
    ...measured,
    command: none,
    decision: none,
    alertStored: none,
    alertChanged: none,
    idleWorkspaceMinute: none,
    pollPostgresMsPer1000: 0,
  };
  const { workspaces, replicas, windowSeconds, digests } = size;
  const plan = {
    costs,
    workspaces,
    replicas,
    environment: { delayMs, regionShare: 1, slackMs: 10, databaseCores: 2 },
  };
  const polls = only({
    ...plan,
    firstPolls: 'at once',
    demandAt: () => ({}),
    warmUpSeconds: warmUpOf(size),
    seconds: warmUpOf(size) + windowSeconds,
    periodSeconds: windowSeconds,
  });
  const posted = only({
    ...plan,
    firstPolls: 'none',
    seconds: giveUpMs / 1000,
    periodSeconds: giveUpMs / 1000,
    demandAt: (second) => (second === 0 ? { digests } : {}),
  });
  const done = posted.digestLateness.percentile(1);
  const idle = measured.idleReplicaSecond;
  return {
    polls: polls.polls,
    statements: polls.statements,
    belayMs: polls.belayMs,
    postgresMs: polls.postgresMs,
    pollEvery: belayLimits.pollInterval + polls.pollLateness.percentile(0.5),
    digestsDone: done,
    digestStatements: digests * measured.digest.statements + idle.statements * replicas * done,
    digestBelayMs: digests * measured.digest.belayMs + idle.belayMs * replicas * done,
  };
}

function only(plan: Plan): Period {
  const [period] = simulate(plan);
  if (!period) throw new Error('the simulated time is too short');
  return period;
}

async function measure(many: ManyWorkspaces, size: Size): Promise<Figures> {
  const { service, db } = many;
  await many.scaleTo(size.replicas);
  service.setFault({ kind: 'slow', delayMs: delayMs.poll });
  // Compilation and connections.
  await runPolls(many, { forMs: giveUpMs });
  await runDigests(many, { count: 20, forMs: giveUpMs });
  const lastAt = new Map<string, number>();
  let intervals: number[] = [];
  // All are due now, as if they had been polled an interval ago.
  const beforeFirst = performance.now() - belayLimits.pollInterval * 1000;
  service.setOnHandled(({ path, headers: { authorization = '' } }) => {
    if (!isPoll(path)) return;
    const now = performance.now();
    intervals.push((now - (lastAt.get(authorization) ?? beforeFirst)) / 1000);
    lastAt.set(authorization, now);
  });
  await db.updateTable('alert_poll').set({ next_poll_at: new Date() }).execute();
  await wait(warmUpOf(size) * 1000);
  intervals = [];
  const polled = await measureUsage(many, () => wait(size.windowSeconds * 1000));
  const counted = intervals;
  service.setOnHandled(undefined);
  await endPolls(many);
  service.setFault({ kind: 'slow', delayMs: delayMs.digest });
  const { usage, result } = await measureUsage(many, () =>
    runDigests(many, { count: size.digests, forMs: giveUpMs }),
  );
  return { ...polledFigures(polled.usage, counted), ...digestFigures(usage, result.seconds) };
}

/** Each poll counts with the time since the one before, which may have been during the warm-up. */
function polledFigures(usage: Usage, intervals: number[]) {
  return {
    polls: intervals.length,
    statements: usage.statements,
    belayMs: usage.replicaMs,
    postgresMs: usage.postgresMs,
    pollEvery: median(intervals),
  };
}

function digestFigures({ statements, replicaMs }: Usage, seconds: number) {
  return { digestStatements: statements, digestBelayMs: replicaMs, digestsDone: seconds };
}

async function withWorkspaces<T>(
  serverUrl: string,
  count: number,
  use: (many: ManyWorkspaces) => Promise<T>,
): Promise<T> {
  const many = await openWorkspaces(serverUrl, count);
  try {
    return await use(many);
  } finally {
    await many.stop();
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
