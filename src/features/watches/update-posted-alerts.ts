import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { alertKey, type ObservedAlert } from '../alerts/index.ts';
import type { PollStore } from './store/poll-store.ts';

/**
 * Updates the messages that watches have posted of an alert when somebody opens or changes it in
 * Belay. A poll may never see that change: a service need not count a note as an update.
 */
export function createPostedAlertUpdater({
  store,
  clock,
  log,
}: {
  store: Pick<PollStore, 'recordObserved'>;
  clock: Clock;
  log: Logger;
}) {
  const underWay = new Set<Promise<void>>();
  return {
    /** Starts at once and never throws, because nothing that answers a person may wait for it. */
    update({ teamId, connectionId, alert, change }: ObservedAlert): void {
      const at = clock();
      const read = { key: alertKey(alert), alert, readAt: at, change };
      const updating = store
        .recordObserved({ teamId, connectionId, alerts: [read], at })
        .then(
          () => undefined,
          (error: unknown) => {
            const facts = { teamId, alertId: alert.id, err: error };
            log.error(facts, 'watches do not show what was changed');
          },
        )
        .finally(() => underWay.delete(updating));
      underWay.add(updating);
    },
    async settled(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
