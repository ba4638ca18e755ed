import { type PurgeTeam, purgeTables } from '../../../database/team-purge.ts';

const maxAlerts = 5000;
const purgeRest = purgeTables('watch', 'alert_poll', 'compliance_watch', 'policy_watch');

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
