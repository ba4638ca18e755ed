import type { Moment } from '../replicas/watch-states.ts';
import type { Death } from './kill-executing.ts';

const unclear = new Set(['executing', 'outcome_unknown']);

/** For each request that died with its replica, how long it took until its outcome was known. */
export function recoveryTimes(deaths: Death[], moments: Moment[]): number[] {
  const byApproval = Map.groupBy(moments, ({ approvalId }) => approvalId);
  return deaths.flatMap(({ at, executing }) =>
    executing.flatMap((id) => {
      const known = byApproval
        .get(id)
        ?.find((moment) => moment.at > at && !unclear.has(moment.state));
      return known ? [known.at.getTime() - at.getTime()] : [];
    }),
  );
}
