import { createDueWork, type DueWork } from '../../../jobs/due-work.ts';
import type { DueHold } from '../store/mute-store.ts';
import type { WatchWork } from '../watch-work.ts';

/** Ends mutes, and posts what quiet hours have held; any number of processes may do so at once. */
export function createHoldEnder({
  mutes,
  clock,
  log,
}: Pick<WatchWork, 'mutes' | 'clock' | 'log'>): DueWork {
  return createDueWork<DueHold>({
    find: (limit) => mutes.findDue(clock(), limit),
    key: ({ kind, id }) => `${kind} ${id}`,
    retry: { firstMs: 1000, lastMs: 60_000 },
    work: (due) => mutes.endDue(due, clock()),
    onFailed: ({ kind, id }, error) =>
      log.warn({ [kind]: id, err: error }, 'held alerts could not be posted'),
  });
}
