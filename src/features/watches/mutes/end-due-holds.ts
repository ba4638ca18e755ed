import type { Clock } from '../../../clock.ts';
import { createDueWork, type DueWork } from '../../../jobs/due-work.ts';
import type { Logger } from '../../../logger.ts';
import type { DueHold, MuteStore } from '../store/mute-store.ts';

/** Ends mutes, and posts what quiet hours have held; any number of processes may do so at once. */
export function createHoldEnder({
  mutes,
  clock,
  log,
}: {
  mutes: Pick<MuteStore, 'findDue' | 'endDue'>;
  clock: Clock;
  log: Logger;
}): DueWork {
  return createDueWork<DueHold>({
    find: (limit) => mutes.findDue(clock(), limit),
    key: ({ kind, id }) => `${kind} ${id}`,
    retry: { firstMs: 1000, lastMs: 60_000 },
    work: (due) => mutes.endDue(due, clock()),
    onFailed: ({ kind, id }, error) =>
      log.warn({ [kind]: id, err: error }, 'held alerts could not be posted'),
  });
}
