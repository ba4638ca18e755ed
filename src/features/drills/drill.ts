import { TZDate } from '@date-fns/tz/date';
import { z } from 'zod';
import type { Subscription } from '../../subscriptions/subscription.ts';
import { digestSettings, nextRun } from '../digests/index.ts';
import type { DrillRunState } from './store/tables.ts';

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

/** The restore of one volume by a drill. */
export type DrillRun = {
  /** The value of the new volume's tag. */
  id: string;
  drillId: string;
  teamId: string;
  dueAt: Date;
  /** Undefined until a run of a policy has chosen one. */
  volume: DrilledVolume | undefined;
  backup: { id: string; at: Date | undefined } | undefined;
  state: DrillRunState;
  createdAt: Date;
  sentAt: Date | undefined;
  taskId: string | undefined;
  finishedAt: Date | undefined;
  /** By the service's clock; undefined if the service didn't show the task to its end. */
  tookSeconds: number | undefined;
  /** AWS's id of the new volume. */
  newVolumeId: string | undefined;
  /** How it ended: mrkdwn. */
  detail: string | undefined;
};

/** How a run ended; `detail` is mrkdwn, in full sentences. */
export type DrillOutcome = {
  state: DrillResult;
  detail: string;
  tookMs?: number | undefined;
  newVolumeId?: string | undefined;
};
