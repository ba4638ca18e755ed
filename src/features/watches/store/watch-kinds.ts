import { randomUUID } from 'node:crypto';
import { type PurgeTeam, purgeTables } from '../../../database/team-purge.ts';
import type { Outgoing } from '../../../postings/outbox/message.ts';
import { createOutboxHandlers, type Family } from '../../../subscriptions/channels.ts';
import { defineSubscription } from '../../../subscriptions/define-subscription.ts';
import { type Change, sharedFields } from '../../../subscriptions/subscription.ts';
import { alertSearchSchema } from '../../alerts/index.ts';
import type { ComplianceWatch } from '../compliance/compliance-watch.ts';
import type { Mute } from '../mutes/mute.ts';
import { quietHours } from '../quiet-hours.ts';
import { reminder } from '../reminders/reminder.ts';
import { formatComplianceWatch } from '../views/compliance-watch-messages.ts';
import { muteChangeMessage } from '../views/mute-messages.ts';
import { policyWatchText } from '../views/policy-watch-messages.ts';
import { formatWatch, watchChangeMessage } from '../views/watch-notices.ts';
import type { PolicyWatch, Watch } from '../watch.ts';

export const alertWatches = defineSubscription<'watch', Watch>({
  table: 'watch',
  keepsEnded: true,
  read: (row) => ({
    ...sharedFields(row),
    connectionId: row.connection_id,
    search: alertSearchSchema.parse(row.search),
    changedBy: row.changed_by ?? undefined,
    changedAt: row.changed_at ?? undefined,
    anchor: row.anchor ?? undefined,
    highWater: row.high_water ?? undefined,
    highWaterAlertId: row.high_water_alert_id ?? undefined,
    postedCount: row.posted_count,
    countedCount: row.counted_count,
    quietHours: quietHours.nullable().parse(row.quiet_hours) ?? undefined,
    reminder: reminder.nullable().parse(row.reminder) ?? undefined,
    reminded: { at: row.reminded_at ?? undefined, count: row.reminder_count },
  }),
  notice: ({ id, channelId, search }, change, { by, at }) =>
    changeNotice(`watch:${id}`, channelId, change, { what: formatWatch(search, at), by }),
  async onEnded(trx, { ids }) {
    await trx.deleteFrom('watched_alert').where('watch_id', 'in', ids).execute();
  },
});

export const mutes = defineSubscription<'mute', Mute>({
  table: 'mute',
  read: (row) => ({
    ...sharedFields(row),
    search: alertSearchSchema.parse(row.search),
    reason: row.reason,
    endsAt: row.ends_at ?? undefined,
  }),
  notice(mute, change, { by, at }) {
    // The end has a message of its own, which counts what was held.
    if (change === 'ended') return undefined;
    const subject = `mute:${mute.id}:${at.getTime()}`;
    return { subject, message: muteChangeMessage(mute, change, by) };
  },
});

export const complianceWatches = defineSubscription<'compliance_watch', ComplianceWatch>({
  table: 'compliance_watch',
  isLeased: true,
  read: (row) => ({
    ...sharedFields(row),
    policy: { id: row.policy_id, name: row.policy_name },
    maxCount: row.max_count,
    changedBy: row.changed_by ?? undefined,
    changedAt: row.changed_at ?? undefined,
    lastCount: row.last_count ?? undefined,
    lastReadAt: row.last_read_at ?? undefined,
    nextReadAt: row.next_read_at,
  }),
  notice: (watch, change, { by }) =>
    changeNotice(`compliance-watch:${watch.id}`, watch.channelId, change, {
      what: formatComplianceWatch(watch),
      by,
    }),
  /** A count that is above the limit then is posted: the message about it may have been dropped. */
  resumed: () => ({ is_above: false }),
});

export const policyWatches = defineSubscription<'policy_watch', PolicyWatch>({
  table: 'policy_watch',
  read: sharedFields,
  notice: ({ channelId }, change, { by }) =>
    changeNotice('policy-watch', channelId, change, { what: policyWatchText, by }),
});

/** Each change gets its own message, so it never edits an earlier one. */
function changeNotice(
  about: string,
  channelId: string,
  change: Change,
  of: { what: string; by: string },
): Outgoing {
  const subject = `${about}:change:${randomUUID()}`;
  return { subject, message: watchChangeMessage(channelId, change, of) };
}

export const watchFamily: Family = {
  noun: 'watch',
  plural: 'watches',
  command: '/belay watch',
  kinds: [alertWatches, complianceWatches, policyWatches],
};

export const muteFamily: Family = {
  noun: 'mute',
  plural: 'mutes',
  command: '/belay mute',
  kinds: [mutes],
};

export const watchOutboxHandlers = createOutboxHandlers(watchFamily);

const maxAlerts = 5000;
const purgeRest = purgeTables('watch', 'mute', 'alert_poll', 'compliance_watch', 'policy_watch');

/** Watches of all kinds, after the alerts that they have seen: one watch may have seen many. */
export const purgeWatches: PurgeTeam = async (trx, team) => {
  const seen = trx
    .selectFrom('watched_alert as seen')
    .innerJoin('watch', 'watch.id', 'seen.watch_id')
    .select(['seen.watch_id', 'seen.alert_key'])
    .where('watch.team_id', '=', team.teamId)
    .limit(maxAlerts);
  const { numDeletedRows } = await trx
    .deleteFrom('watched_alert')
    .where(({ eb, refTuple }) =>
      eb(refTuple('watch_id', 'alert_key'), 'in', seen.$asTuple('watch_id', 'alert_key')),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n ? 'more' : purgeRest(trx, team);
};
