import type { Drill, DrillPlan, DrillRun } from '../../../src/features/drills/drill.ts';
import { drillFormModal } from '../../../src/features/drills/views/drill-form.ts';
import {
  drillListMessage,
  drillNoticeMessage,
  drillReportMessage,
  drillResultMessage,
} from '../../../src/features/drills/views/drill-messages.ts';
import { refusalWarning } from '../../../src/requests/views/requested-message.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { findAmong } from '../../../src/workspace/choose-connection.ts';
import { channelId, people, sampleNow } from '../sample-place.ts';
import type { Samples } from '../samples.ts';

const drillId = '00000000-0000-4000-8000-000000000001';

/** A run that restored its volume. */
export function sampleRun({ word }: Samples): DrillRun {
  return {
    id: '00000000-0000-4000-8000-000000000002',
    drill_id: drillId,
    team_id: 'T1',
    due_at: sampleNow,
    volume_id: 'v1',
    volume_name: word,
    volume_native_id: 'vol-0a1b2c3d4e5f60718',
    backup_id: 'b1',
    backup_at: new Date('2026-11-21T03:00:00Z'),
    state: 'restored',
    created_at: sampleNow,
    sent_at: sampleNow,
    task_id: '17',
    finished_at: new Date('2026-11-21T12:42:00Z'),
    took_seconds: 2520,
    new_volume_id: 'vol-0123',
    detail: "New volume: `vol-0123` in us-east-1b. The volume isn't attached to an instance.",
    check_at: null,
    lease_holder: null,
    lease_until: null,
  };
}

/** Every message and form about restore drills. */
export function everyDrillView(samples: Samples): Record<string, unknown[]> {
  const { word, typed } = samples;
  const volume = { id: 'v1', name: word, nativeId: 'vol-0a1b2c3d4e5f60718' };
  const plan: DrillPlan = {
    source: { volumes: Array.from({ length: 10 }, () => volume) },
    target: {
      environmentId: 'e1',
      account: '210987654321',
      accountName: word,
      region: 'us-east-1',
      awsAz: 'us-east-1b',
      type: 'gp3',
      kmsKeyNativeId: '1234abcd-12ab-34cd-56ef-1234567890ab',
    },
    mayLeave: true,
    schedule: { every: 'month', weekday: 1, time: '03:00', timeZone: 'Europe/Berlin' },
  };
  const ofPolicy: DrillPlan = {
    ...plan,
    source: { policy: { id: 'p1', name: samples.policyName } },
    schedule: { ...plan.schedule, every: 'week' },
  };
  const drill: Drill = {
    id: drillId,
    teamId: 'T1',
    originId: 'o1',
    channelId,
    createdBy: people.ana,
    createdAt: sampleNow,
    pausedReason: undefined,
    plan,
    nextRunAt: new Date('2026-12-07T02:00:00Z'),
  };
  const restored = sampleRun(samples);
  const failed: DrillRun = { ...restored, state: 'failed', detail: safe(typed, 300) };
  const unknown: DrillRun = { ...restored, state: 'unknown', backup_at: null, took_seconds: 9 };
  const unchosen: DrillRun = {
    ...failed,
    volume_name: '',
    sent_at: null,
    took_seconds: null,
    detail: 'The policy protects no volume.',
  };
  const view = { now: sampleNow, findConnection: findAmong([]), resumed: 0, mayAdd: true };
  const paused = { ...drill, plan: ofPolicy, pausedReason: 'Belay was removed from the channel.' };
  return {
    drillNoticeMessage: [
      drillNoticeMessage(plan, 'added', people.ana),
      drillNoticeMessage(ofPolicy, 'ended', people.ben),
    ],
    drillResultMessage: [restored, failed, unknown, unchosen].map(drillResultMessage),
    drillListMessage: [
      drillListMessage(channelId, [], { ...view, mayChange: () => true }),
      drillListMessage(channelId, [drill, paused], { ...view, mayChange: () => true, resumed: 1 }),
      drillListMessage(
        channelId,
        Array.from({ length: 10 }, () => drill),
        { ...view, mayChange: () => false, mayAdd: false },
      ),
    ],
    drillReportMessage: [
      drillReportMessage({ start: 10 }, { runs: [restored, failed, unknown], total: 24 }, 10),
      drillReportMessage({ start: 0 }, { runs: [unchosen], total: 1 }, 10),
      drillReportMessage({ start: 0 }, { runs: [], total: 0 }, 10),
      drillReportMessage({ start: 10 }, { runs: [], total: 10 }, 10),
    ],
    drillFormModal: [
      drillFormModal(
        [
          {
            id: 'e1',
            accountName: word,
            accountNativeId: '210987654321',
            awsRegion: 'us-east-1',
            otherFields: {},
          },
        ],
        { channelId, timeZone: 'Europe/Berlin' },
      ),
      drillFormModal(
        Array.from({ length: 120 }, (_, index) => ({ id: `e${index}`, otherFields: {} })),
        {
          channelId,
          warning: refusalWarning({ result: 'no_approver', reasons: [safe(typed, 200)] }),
        },
      ),
    ],
  };
}
