import { purgeTables } from '../../../database/team-purge.ts';
import { isDirectChannel } from '../../../slack/api/channel.ts';
import { createOutboxHandlers, type Family } from '../../../subscriptions/channels.ts';
import { defineSubscription } from '../../../subscriptions/define-subscription.ts';
import { sharedFields } from '../../../subscriptions/subscription.ts';
import { type Drill, drillPlan, nextDrillRun } from '../drill.ts';
import { drillNoticeMessage } from '../views/drill-messages.ts';

export const drills = defineSubscription<'restore_drill', Drill>({
  table: 'restore_drill',
  keepsEnded: true,
  dueColumn: 'next_run_at',
  read: (row) => ({
    ...sharedFields(row),
    plan: drillPlan.parse(row.plan),
    nextRunAt: row.next_run_at,
  }),
  notice({ id, channelId, plan, pausedReason }, change, { by }) {
    // In direct messages the only reader has the answer already.
    const isKnown = change === 'ended' && isDirectChannel(channelId);
    if (isKnown || pausedReason) return undefined;
    return { subject: `drill:${id}:${change}`, message: drillNoticeMessage(plan, change, by) };
  },
  resumed: ({ plan }, at) => ({ next_run_at: nextDrillRun(plan.schedule, at) }),
  /** What was sent is followed to its end. */
  async onEnded(trx, { teamId, ids }) {
    await trx
      .deleteFrom('restore_drill_run')
      .where('team_id', '=', teamId)
      .where('drill_id', 'in', ids)
      .where('state', '=', 'due')
      .execute();
  },
});

export const drillFamily: Family = {
  noun: 'restore drill',
  plural: 'restore drills',
  command: '/belay drill',
  kinds: [drills],
};

export const drillOutboxHandlers = createOutboxHandlers(drillFamily);

export const purgeDrills = purgeTables('restore_drill_run', 'restore_drill');
