import { cpus } from 'node:os';
import { amount } from '../read-options.ts';
import { decideRequests, sendCommands } from '../workspaces/act-in-workspaces.ts';
import { type Cost, costOf, measureIdle, requestCostOf } from '../workspaces/costs.ts';
import { measureUsage } from '../workspaces/measure-usage.ts';
import { type ManyWorkspaces, openWorkspaces } from '../workspaces/open-workspaces.ts';
import { changeAlerts, pollAndPost, raiseAlerts } from '../workspaces/raise-alerts.ts';
import { runDigests, runPolls } from '../workspaces/run-due.ts';
import type { MeasuredCosts } from './measured-costs.ts';
import { belayLimits } from './model/belay-limits.ts';

const giveUpMs = 600_000;
/** Of the service, so that the processors of the machine are not the limit. */
const delayMs = { poll: 150, digest: 50 };
const idleSeconds = amount(30, 2);
const pollRuns = amount(3, 1);
const decisions = amount(60, 5);
/** In a storm: so many alerts for so many workspaces. */
const storm = { workspaces: amount(20, 2), alerts: amount(200, 20) };

export type PollAndDigestCosts = Pick<MeasuredCosts, 'poll' | 'digest' | 'idleReplicaSecond'>;

/** What one replica needs for each, on PostgreSQL, with the given delay of the service. */
export async function measurePollsAndDigests(
  many: ManyWorkspaces,
  { delayMs, digests }: { delayMs: { poll: number; digest: number }; digests: number },
): Promise<PollAndDigestCosts> {
  const { service } = many;
  await many.scaleTo(1);
  // Compilation and connections.
  service.setFault({ kind: 'slow', delayMs: delayMs.poll });
  await runPolls(many, { forMs: giveUpMs });
  await runDigests(many, { count: Math.min(20, digests), forMs: giveUpMs });
  const idle = await measureIdle(many, idleSeconds);
  const polls = await measurePolls(many);
  service.setFault({ kind: 'slow', delayMs: delayMs.digest });
  const posted = await measureUsage(many, () =>
    runDigests(many, { count: digests, forMs: giveUpMs }),
  );
  const poll = costOf(polls.usage, { idle, replicas: 1, count: polls.result.done });
  const { concurrentPolls, serviceConnections } = belayLimits;
  return {
    poll: {
      ...poll,
      ...requestCostOf(polls.result, {
        delayMs: delayMs.poll,
        atOnce: concurrentPolls,
        otherMs: poll.belayMs + poll.postgresMs,
      }),
    },
    digest: {
      ...costOf(posted.usage, { idle, replicas: 1, count: digests }),
      ...requestCostOf(posted.result, { delayMs: delayMs.digest, atOnce: serviceConnections }),
    },
    idleReplicaSecond: idle,
  };
}

/** The run with the median time, because these runs are short and the machine may do other things. */
async function measurePolls(many: ManyWorkspaces) {
  const runs = [];
  for (let run = 0; run < pollRuns; run += 1) {
    runs.push(await measureUsage(many, () => runPolls(many, { forMs: giveUpMs })));
  }
  const [middle] = runs
    .sort((a, b) => a.result.seconds - b.result.seconds)
    .slice(Math.floor(pollRuns / 2));
  if (!middle) throw new Error('polls were not measured');
  return middle;
}

/** Everything that the simulation needs, measured with one replica on this machine. */
export async function measureCosts(
  serverUrl: string,
  { workspaces }: { workspaces: number },
): Promise<MeasuredCosts> {
  const alone = await openWorkspaces(serverUrl, 1);
  await alone.scaleTo(1);
  const idleAlone = await measureIdle(alone, idleSeconds);
  await alone.stop();

  const larger = 10 * workspaces;
  const pollOfLarger = await measurePollAt(serverUrl, larger);
  const many = await openWorkspaces(serverUrl, workspaces);
  try {
    const digests = Math.min(workspaces, 200);
    const measured = await measurePollsAndDigests(many, { delayMs, digests });
    const { idleReplicaSecond: idle, poll } = measured;
    many.service.setFault(undefined);
    const perUnit = async (work: () => Promise<number>) => {
      const { usage, result } = await measureUsage(many, work);
      return costOf(usage, { idle, replicas: 1, count: result });
    };
    await sendCommands(many);
    const command = await perUnit(() => sendCommands(many));
    const decision = await perUnit(() => decideRequests(many, decisions));
    const raised = await raiseAlerts(many, storm.alerts);
    const inStorm = async () => {
      await pollAndPost(many, storm.workspaces);
      return storm.workspaces * raised;
    };
    const alertStored = withoutPoll(await perUnit(inStorm), poll, raised);
    changeAlerts(many);
    const alertChanged = withoutPoll(await perUnit(inStorm), poll, raised);
    return {
      measuredAt: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`,
      workspaces,
      ...measured,
      command,
      decision,
      alertStored,
      alertChanged,
      pollPostgresMsPer1000: Math.max(
        0,
        ((pollOfLarger.postgresMs - poll.postgresMs) * 1000) / (larger - workspaces),
      ),
      idleReplicaSecond: idleAlone,
      idleWorkspaceMinute: each((name) => {
        return Math.max(0, ((idle[name] - idleAlone[name]) * 60) / workspaces);
      }),
    };
  } finally {
    await many.stop();
  }
}

async function measurePollAt(serverUrl: string, workspaces: number): Promise<Cost> {
  const many = await openWorkspaces(serverUrl, workspaces);
  try {
    await many.scaleTo(1);
    many.service.setFault({ kind: 'slow', delayMs: delayMs.poll });
    const idle = await measureIdle(many, idleSeconds);
    const { usage, result } = await measureUsage(many, () => runPolls(many, { forMs: giveUpMs }));
    return costOf(usage, { idle, replicas: 1, count: result.done });
  } finally {
    await many.stop();
  }
}

/** The alerts of one workspace are read by one poll. */
function withoutPoll(total: Cost, poll: Cost, alerts: number): Cost {
  return each((name) => Math.max(0, total[name] - poll[name] / alerts));
}

function each(of: (name: keyof Cost) => number): Cost {
  return {
    statements: of('statements'),
    belayMs: of('belayMs'),
    postgresMs: of('postgresMs'),
  };
}
