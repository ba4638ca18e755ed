import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { ShownAlert } from '../alerts/index.ts';
import { alertKey } from './alert-facts.ts';
import { judgeAlert } from './judge-alert.ts';
import type { PollStore } from './watch-store.ts';

export type ChangeShower = {
  /** Begins at once and never throws: the person's own answer waits for nothing. */
  show: (shown: ShownAlert) => void;
  settled: () => Promise<void>;
};

/**
 * Shows what is new in the messages that watches have of the alert. A poll may never see it: a
 * service need not count a note as an update.
 */
export function createChangeShower({
  store,
  clock,
  log,
}: {
  store: Pick<PollStore, 'recordNotified'>;
  clock: Clock;
  log: Logger;
}): ChangeShower {
  const underWay = new Set<Promise<void>>();
  return {
    show({ teamId, connectionId, alert, deed }) {
      const at = clock();
      const alerts = [{ key: alertKey(alert), alert, readAt: at, deed }];
      const showing = store
        .recordNotified({ teamId, connectionId, alerts, at, judge: judgeAlert })
        .catch((error: unknown) => {
          const facts = { teamId, alertId: alert.id, err: error };
          log.error(facts, 'watches do not show what was changed');
        })
        .finally(() => underWay.delete(showing));
      underWay.add(showing);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
