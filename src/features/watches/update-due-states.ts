import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { readAlert } from '../../dataprotection/resources/alerts.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { WatchWork } from './watch-work.ts';

const readMs = 20_000;
const retry = { firstMs: 30_000, lastMs: 5 * 60_000 };

/**
 * Ends snoozes whose time is over, and says so where the alert was posted. Shows owners and snoozes that
 * a click stored but couldn't show. While the service can't be read, both stay due: nobody is notified
 * of an alert that is already cleared, and messages show alerts as they are.
 */
export function createDueStateUpdater({
  store,
  openService,
  clock,
  log,
}: Pick<WatchWork, 'store' | 'openService' | 'clock' | 'log'>): DueWork {
  return createDueWork({
    find: (limit) => store.findDueStates(clock(), limit),
    key: ({ teamId, originId, key }) => `${teamId} ${originId} ${key}`,
    retry,
    async work(due) {
      const { teamId, originId, alertId } = due;
      const service = await openService(teamId, { originId });
      const readAt = clock();
      const alert =
        service &&
        (await undefinedIfGone(
          readAlert(service.client, alertId, { signal: AbortSignal.timeout(readMs) }),
        ));
      const read = service && alert && { connectionId: service.connectionId, alert, readAt };
      await store.recordDue(due, read, clock());
    },
    onFailed({ teamId, alertId }, error) {
      log.warn(
        { teamId, alertId, err: error },
        'messages about an alert do not show its owner or snooze',
      );
    },
  });
}
