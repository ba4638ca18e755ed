import { TZDate } from '@date-fns/tz/date';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { nextRun } from '../../jobs/next-run.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import { digestSettings } from '../digests/index.ts';
import type { DrillRunState, DrillTables } from './store/tables.ts';

export const maxDrillsPerChannel = 10;
export const maxVolumes = 10;

/** The tag of a restored volume; its value is the id of the drill's run. */
export const drillTagKey = 'belay-drill';

const drilledVolume = z.object({
  /** The service's id. */
  id: z.string(),
  name: z.string(),
  /** AWS's id. */
  nativeId: z.string().optional(),
});
export type DrilledVolume = z.infer<typeof drilledVolume>;

const drillSchedule = z.object({
  /** A month: on the first such weekday. */
  every: z.enum(['week', 'month']),
  /** 1 is Monday, 7 is Sunday. */
  weekday: z.int().min(1).max(7),
  time: digestSettings.shape.time,
  timeZone: digestSettings.shape.timeZone,
});
export type DrillSchedule = z.infer<typeof drillSchedule>;

/** What a drill restores, where, and when: what approvers agree to. Stored with the request and the drill. */
export const drillPlan = z.object({
  /** A policy: each run restores one of the volumes that it protects. */
  source: z.union([
    z.object({ volumes: z.array(drilledVolume).min(1).max(maxVolumes) }),
    z.object({ policy: z.object({ id: z.string(), name: z.string() }) }),
  ]),
  target: z.object({
    environmentId: z.string(),
    account: z.string(),
    accountName: z.string().optional(),
    region: z.string(),
    awsAz: z.string(),
    type: z.string(),
    kmsKeyNativeId: z.string().optional(),
  }),
  /** Whether data may leave its account, region or encryption key, which takes more approvals. */
  mayLeave: z.boolean(),
  schedule: drillSchedule,
});
export type DrillPlan = z.infer<typeof drillPlan>;

export type Drill = Subscription & { originId: string; plan: DrillPlan; nextRunAt: Date };

/** The first time of the schedule after `after`. */
export function nextDrillRun({ every, weekday, time, timeZone }: DrillSchedule, after: Date): Date {
  const next = nextRun({ time, timeZone, weekdays: [weekday] }, after);
  const isFirst = new TZDate(next, timeZone).getDate() <= 7;
  return every === 'week' || isFirst
    ? next
    : nextDrillRun({ every, weekday, time, timeZone }, next);
}

export type DrillResult = Exclude<DrillRunState, 'due' | 'sent'>;

/** The restore of one volume by a drill. Its id is the value of the new volume's tag. */
export type DrillRun = Selectable<DrillTables['restore_drill_run']>;

export function volumeColumns({ id, name, nativeId }: DrilledVolume) {
  return { volume_id: id, volume_name: name, volume_native_id: nativeId ?? null };
}

export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
}
