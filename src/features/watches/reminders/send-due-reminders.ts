import { undefinedIfGone } from '../../../dataprotection/http/undefined-if-gone.ts';
import { type Alert, readAlert } from '../../../dataprotection/resources/alerts.ts';
import { createDueWork, type DueWork } from '../../../jobs/due-work.ts';
import type { DueReminder } from '../store/reminder-store.ts';
import type { WatchWork } from '../watch-work.ts';

const readMs = 20_000;
const retry = { firstMs: 30_000, lastMs: 15 * 60_000 };

/**
 * Reminds channels of errors that nobody has acknowledged. While the service can't be read, reminders stay
 * due, so that nobody is called about an error that is already cleared.
 */
export function createReminderSender({
  reminders,
  openService,
  clock,
  log,
}: Pick<WatchWork, 'reminders' | 'openService' | 'clock' | 'log'>): DueWork {
  async function work(due: DueReminder): Promise<void> {
    const { teamId, originId } = due;
    const read = new Map<string, Alert | undefined>();
    for (;;) {
      const unread = await reminders.remind(due, read, clock());
      if (unread.length === 0) return;
      const service = await openService(teamId, { originId });
      // The watches of a connection that was removed end with it.
      if (!service) return;
      const signal = AbortSignal.timeout(readMs);
      const { client } = service;
      const found = await Promise.all(
        unread.map((id) => undefinedIfGone(readAlert(client, id, { signal }))),
      );
      for (const [index, id] of unread.entries()) read.set(id, found[index]);
    }
  }

  return createDueWork({
    find: (limit) => reminders.findDue(clock(), limit),
    key: ({ id }) => id,
    retry,
    work,
    onFailed({ teamId, id }, error) {
      log.warn({ teamId, watch: id, err: error }, 'a reminder of errors could not be sent');
    },
  });
}
