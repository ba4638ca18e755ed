import type { Clock } from '../../clock.ts';
import { newLease } from '../../database/leases.ts';
import { logUnreadable, UnreadableRowError } from '../../database/parse-rows.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { ServiceError } from '../../dataprotection/http/errors.ts';
import { restoreRequestBody, restoreVolume } from '../../dataprotection/resources/restores.ts';
import { addMilliseconds } from '../../dates.ts';
import { describeCause } from '../../describe-failure.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import { followRestore } from '../restores/index.ts';
import { backedUpAt, chooseVolume, listProtected, readNewest, toDrilled } from './choose-backup.ts';
import {
  type Drill,
  type DrilledVolume,
  type DrillOutcome,
  type DrillRun,
  drillTagKey,
} from './drill.ts';
import type { DrillRuns, LeasedRun } from './store/drill-runs.ts';
import type { DrillStore } from './store/drill-store.ts';
import { type DrillTimings, drillTimings } from './timings.ts';
import { drillResultMessage } from './views/drill-messages.ts';

type RunDependencies = {
  drills: Pick<DrillStore, 'startDue'>;
  drillRuns: DrillRuns;
  openService: OpenService;
  clock: Clock;
  log: Logger;
  timings?: Partial<DrillTimings> | undefined;
};

type Context = RunDependencies & { leased: LeasedRun; drill: Drill; timings: DrillTimings };

/** Ends the run; with the volume, if only this attempt knows it. */
type End = (outcome: DrillOutcome, volume?: DrilledVolume) => Promise<void>;

/** Starts drills that are due, and follows their restores; any number of processes may do so at once. */
export function createDrillRunner({ timings: given, ...dependencies }: RunDependencies): DueWork {
  const { drills, drillRuns, clock, log } = dependencies;
  const timings = { ...drillTimings, ...given };
  const { leaseMs, maxConcurrent, maxPerLook } = timings;
  return createDueWork({
    prepare: async () => logUnreadable(log, await drills.startDue(clock(), maxPerLook)),
    lease: (limit) => drillRuns.lease(newLease(clock, leaseMs), limit),
    async work(leased) {
      const { run, drill } = await leased.read();
      await advance(run, { ...dependencies, leased, drill, timings });
    },
    onFailed({ id }, error) {
      if (error instanceof UnreadableRowError) logUnreadable(log, [error]);
      else log.error({ drillRunId: id, err: error }, 'a restore drill could not be recorded');
    },
    limits: { limitMs: leaseMs, maxConcurrent, maxPerLook },
  });
}

/** Takes the run as far as it gets now. */
async function advance(run: DrillRun, context: Context): Promise<void> {
  const { leased, drill, drillRuns, openService, clock, log, timings } = context;
  const { sentAt } = run;
  const end: End = (outcome, volume) =>
    drillRuns.finish(leased, {
      drill,
      volume,
      outcome,
      at: clock(),
      render: (ended) => drillResultMessage(ended),
    });
  try {
    const service = await openService(leased.teamId, { originId: drill.originId });
    if (!service) {
      const state = sentAt ? 'unknown' : 'failed';
      return await end({ state, detail: 'The connection to the service was removed.' });
    }
    if (sentAt) await follow({ ...run, sentAt }, service.client, end, context);
    else await start(run, service.client, end, context);
  } catch (error) {
    log.warn({ drillRunId: run.id, err: error }, 'a restore drill could not be advanced');
    const since = sentAt ?? run.createdAt;
    const patienceMs = sentAt ? timings.followMs : timings.startMs;
    if (clock().getTime() - since.getTime() < patienceMs) return await postpone(context);
    await end({ state: sentAt ? 'unknown' : 'failed', detail: describeCause(error) });
  }
}

async function postpone({ drillRuns, leased, clock, timings }: Context): Promise<void> {
  await drillRuns.postpone(leased, addMilliseconds(clock(), timings.checkMs));
}

/** Sends the restore of the newest backup, after it is recorded that this may have happened. */
async function start(
  run: DrillRun,
  client: ServiceClient,
  end: End,
  context: Context,
): Promise<void> {
  const { leased, drill, drillRuns, clock, log } = context;
  const { target } = drill.plan;
  const volume = run.volume ?? (await choose(client, context));
  if (!volume) return end({ state: 'failed', detail: 'The policy protects no volume.' });
  const newest = await readNewest(client, volume.id, drill.plan, clock());
  if ('problem' in newest) return end({ state: 'failed', detail: newest.problem }, volume);
  const { backup } = newest;
  const tags = [{ key: drillTagKey, value: run.id }];
  const body = JSON.stringify(restoreRequestBody(backup.id, { ...target, tags }));
  const sending = { volume, backup: { id: backup.id, at: backedUpAt(backup) }, at: clock() };
  if (!(await drillRuns.markSent(leased, sending))) return;
  try {
    const taskId = await restoreVolume(client, body);
    if (taskId !== undefined) await drillRuns.recordTask(leased, taskId);
  } catch (error) {
    if (error instanceof ServiceError && !error.mayHaveActed)
      return end({ state: 'failed', detail: describeCause(error) });
    log.warn({ drillRunId: run.id, err: error }, 'the answer to a restore drill was lost');
  }
  await postpone(context);
}

async function choose(
  client: ServiceClient,
  { drill, drillRuns }: Context,
): Promise<DrilledVolume | undefined> {
  const { source } = drill.plan;
  if (!('policy' in source)) return undefined;
  const [volumes, lastTried] = await Promise.all([
    listProtected(client, source.policy.id),
    drillRuns.readLastTried(drill),
  ]);
  const chosen = chooseVolume(volumes, lastTried);
  return chosen && toDrilled(chosen);
}

async function follow(
  run: DrillRun & { sentAt: Date },
  client: ServiceClient,
  end: End,
  context: Context,
): Promise<void> {
  const { id, sentAt, taskId, volume } = run;
  const now = context.clock();
  const progress = await followRestore({
    client,
    now,
    volumeId: volume?.id ?? '',
    environmentId: context.drill.plan.target.environmentId,
    tag: { key: drillTagKey, value: id },
    sent: { at: sentAt, taskId },
  });
  switch (progress.state) {
    case 'done': {
      const { words: detail = '', tookMs, created } = progress;
      const newVolumeId = created && (created.volumeNativeId ?? created.id);
      return end({ state: 'restored', detail, tookMs, newVolumeId });
    }
    case 'failed':
      return end({ state: 'failed', detail: progress.words });
    case 'unknown':
      return end({ state: 'unknown', detail: progress.words });
    case 'not-done': {
      const isTraceless = now.getTime() - sentAt.getTime() >= context.timings.traceMs;
      const detail = "The service's answer was lost, and no volume has the drill's tag.";
      return isTraceless ? end({ state: 'unknown', detail }) : postpone(context);
    }
    default:
      return postpone(context);
  }
}
