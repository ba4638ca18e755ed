import { type Clock, isRecent } from '../../clock.ts';
import { newLease, released } from '../../database/leases.ts';
import { logUnreadable, UnreadableRowError } from '../../database/parse-rows.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import {
  RateLimitedError,
  ServiceError,
  ServiceTimeoutError,
  ServiceUnreachableError,
} from '../../dataprotection/http/errors.ts';
import { readEnvironments } from '../../dataprotection/resources/environments.ts';
import { restoreRequestBody, restoreVolume } from '../../dataprotection/resources/restores.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import { addMilliseconds } from '../../dates.ts';
import { describeCause } from '../../describe-failure.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import { followRestore } from '../restores/index.ts';
import { chooseVolume, listProtected, readNewest, toDrilled } from './choose-backup.ts';
import { type Drill, type DrillRun, drillTagKey, volumeColumns } from './drill.ts';
import type { DrillRuns, LeasedRun } from './store/drill-runs.ts';
import type { DrillStore } from './store/drill-store.ts';
import { drillResultMessage } from './views/drill-messages.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** In milliseconds, except for the numbers of runs. */
const drillTimings = {
  /** Longer than one look at a run takes, so that a slow one is not taken by another process. */
  leaseMs: 2 * minuteMs,
  /** From one look at a restore to the next. */
  checkMs: 30_000,
  /** How long a run waits for the service before anything was sent. */
  startMs: 6 * hourMs,
  /** How long Belay looks for a volume of which the service shows no trace. */
  traceMs: hourMs,
  /** How long Belay follows a restore while the service can't be read. */
  followMs: 7 * 24 * hourMs,
  /** At once, in this process. */
  maxConcurrent: 4,
  /** From one look to the next, so that many that are due at once are spread over time. */
  maxPerLook: 100,
};
export type DrillTimings = typeof drillTimings;

type RunDependencies = {
  drills: DrillStore;
  drillRuns: DrillRuns;
  openService: OpenService;
  clock: Clock;
  log: Logger;
  timings?: Partial<DrillTimings> | undefined;
};

type Context = RunDependencies & { leased: LeasedRun; drill: Drill; timings: DrillTimings };
type Outcome = Parameters<DrillRuns['finish']>[1];

/** Starts drills that are due, and follows their restores; any number of processes may do so at once. */
export function createDrillRunner({ timings: given, ...dependencies }: RunDependencies): DueWork {
  const { drills, drillRuns, clock, log } = dependencies;
  const timings = { ...drillTimings, ...given };
  const { leaseMs, maxConcurrent, maxPerLook } = timings;
  return createDueWork({
    prepare: async () => logUnreadable(log, await drills.startDue(clock(), maxPerLook)),
    lease: (limit) => drillRuns.lease(newLease(clock, leaseMs), limit),
    async work(leased) {
      const drill = await drillRuns.readDrill(leased);
      await advance({ ...dependencies, leased, drill, timings });
    },
    onFailed({ run }, error) {
      if (error instanceof UnreadableRowError) logUnreadable(log, [error]);
      else log.error({ drillRunId: run.id, err: error }, 'a restore drill could not be recorded');
    },
    limits: { limitMs: leaseMs, maxConcurrent, maxPerLook },
  });
}

/** Takes the run as far as it gets now. */
async function advance(context: Context): Promise<void> {
  const { leased, drill, openService, clock, log, timings } = context;
  const { id, sent_at: sentAt, created_at: createdAt, check_at: checkAt } = leased.run;
  const ended = sentAt ? 'unknown' : 'failed';
  try {
    const service = await openService(leased.teamId, { originId: drill.originId });
    if (!service) {
      const detail = 'The connection to the service was removed.';
      await end({ state: ended, detail }, context);
    } else if (sentAt) await follow(sentAt, service.client, context);
    else await start(service.client, context);
  } catch (error) {
    log.warn({ drillRunId: id, err: error }, 'a restore drill could not be advanced');
    const at = clock();
    const maxMs = sentAt ? timings.followMs : timings.startMs;
    // While Belay was down or the drill paused, nobody looked.
    const isLate = checkAt !== null && !isRecent(checkAt, at, hourMs);
    if (isLate || isRecent(sentAt ?? createdAt, at, maxMs)) await postpone(context);
    else await end({ state: ended, detail: describeCause(error) }, context);
  }
}

async function end(outcome: Outcome, { leased, drill, drillRuns, clock }: Context): Promise<void> {
  await drillRuns.finish(leased, outcome, { drill, at: clock(), render: drillResultMessage });
}

async function postpone({ drillRuns, leased, clock, timings }: Context): Promise<void> {
  const checkAt = addMilliseconds(clock(), timings.checkMs);
  await drillRuns.change(leased, { check_at: checkAt, ...released });
}

/** After these, a restore that the service didn't accept is sent later. */
const temporary = [RateLimitedError, ServiceTimeoutError, ServiceUnreachableError];

/**
 * Sends the restore of the newest backup, after it is recorded that this may have happened.
 * @throws {ServiceError} if the service didn't accept it, and it can be tried again
 */
async function start(client: ServiceClient, context: Context): Promise<void> {
  const { drill, drillRuns, clock, log } = context;
  const { source, target } = drill.plan;
  let { leased } = context;
  if ('policy' in source && leased.run.volume_id === '') {
    const run = await choose(source.policy.id, client, context);
    if (!run) return;
    leased = { ...leased, run };
  }
  const { id, volume_id: volumeId } = leased.run;
  const environments = await readEnvironments(client);
  const found = { environments, now: clock() };
  const newest = await readNewest(client, volumeId, drill.plan, found);
  if ('problem' in newest) return end({ state: 'failed', detail: newest.problem }, context);
  const { backup } = newest;
  const tags = [{ key: drillTagKey, value: id }];
  const body = JSON.stringify(restoreRequestBody(backup.id, { ...target, tags }));
  const sent = { id: backup.id, at: parseTimestamp(backup.startTimestamp) };
  if (!(await drillRuns.markSent(leased, sent, clock()))) return;
  const after = {
    ...context,
    leased: { ...leased, run: { ...leased.run, state: 'sent' as const } },
  };
  try {
    const taskId = await restoreVolume(client, body);
    if (taskId !== undefined) await drillRuns.recordTask(leased, taskId);
  } catch (error) {
    if (error instanceof ServiceError && !error.mayHaveActed) {
      const isTemporary = temporary.some((kind) => error instanceof kind);
      if (!isTemporary) return end({ state: 'failed', detail: describeCause(error) }, after);
      await drillRuns.markUnsent(after.leased);
      throw error;
    }
    log.warn({ drillRunId: id, err: error }, 'the answer to a restore drill was lost');
  }
  await postpone(after);
}

/** The run with the volume that it restores; undefined if it has none, or another process has taken over. */
async function choose(
  policyId: string,
  client: ServiceClient,
  context: Context,
): Promise<DrillRun | undefined> {
  const { leased, drill, drillRuns } = context;
  const [volumes, lastTried] = await Promise.all([
    listProtected(client, policyId),
    drillRuns.readLastTried(drill),
  ]);
  const chosen = chooseVolume(volumes, lastTried);
  if (chosen) return drillRuns.change(leased, volumeColumns(toDrilled(chosen)));
  await end({ state: 'failed', detail: 'The policy protects no volume.' }, context);
  return undefined;
}

async function follow(sentAt: Date, client: ServiceClient, context: Context): Promise<void> {
  const { id, task_id: taskId, volume_id: volumeId } = context.leased.run;
  const now = context.clock();
  const progress = await followRestore({
    client,
    now,
    volumeId,
    environmentId: context.drill.plan.target.environmentId,
    tag: { key: drillTagKey, value: id },
    sent: { at: sentAt, taskId: taskId ?? undefined },
  });
  const { state } = progress;
  if (state === 'done') {
    const { words: detail = '', tookMs, created } = progress;
    const tookSeconds = tookMs === undefined ? null : Math.round(tookMs / 1000);
    const newVolumeId = created?.volumeNativeId ?? created?.id ?? null;
    const found = { took_seconds: tookSeconds, new_volume_id: newVolumeId };
    return end({ state: 'restored', detail, ...found }, context);
  }
  if (state === 'failed' || state === 'unknown')
    return end({ state, detail: progress.words }, context);
  const isLost = state === 'not-done' && !isRecent(sentAt, now, context.timings.traceMs);
  if (!isLost) return postpone(context);
  const detail = "The service's answer was lost, and no volume has the drill's tag.";
  return end({ state: 'unknown', detail }, context);
}
