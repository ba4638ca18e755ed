import { newLease } from '../../database/leases.ts';
import { logUnreadable, parseEach, unreadableRetryMs } from '../../database/parse-rows.ts';
import { addMilliseconds } from '../../dates.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import { linkToMessage } from '../../slack/api/post.ts';
import { readStandIns } from '../people/read-stand-ins.ts';
import type { RequestContext } from '../request-context.ts';
import { decidersOf } from '../rules/requirements.ts';
import { nextReminder } from './next-reminder.ts';
import { reminderMessage } from './views/reminder-message.ts';

/** Longer than looking up the people of a workspace takes. */
const leaseMs = 2 * 60_000;

/**
 * Queues the reminders that are due, one for each request however many were missed. Any number of
 * processes may do so at once; one at a time looks up the people of a workspace.
 */
export function createReminders(context: RequestContext): DueWork {
  const { store, clock, log } = context;
  return createDueWork({
    find: () => store.listTeamsToRemind(clock()),
    key: ({ teamId }) => teamId,
    work: ({ teamId }) =>
      store.whileReminding(teamId, newLease(clock, leaseMs), () => remindAll(teamId, context)),
    onFailed: ({ teamId }, error) =>
      log.error({ teamId, err: error }, "the reminders of a workspace couldn't be queued"),
    limits: { limitMs: leaseMs },
  });
}

async function remindAll(teamId: string, context: RequestContext): Promise<void> {
  const { store, bind, readSettings, clients, clock, log } = context;
  const slack = await clients.find({ teamId });
  if (!slack) return;
  const settings = await readSettings(teamId);
  const found = await store.findDueReminders(teamId, clock());
  const bound = parseEach(found.parsed, (due) => ({ due, action: bind(due.approval) }));
  for (const error of [...found.unreadable, ...bound.unreadable]) {
    logUnreadable(log, [error]);
    await store.setAside({ teamId, id: error.row.id }, addMilliseconds(clock(), unreadableRetryMs));
  }
  for (const { due, action } of bound.parsed) {
    const { approval } = due;
    try {
      const approvers = decidersOf(approval, action, settings);
      const who = async () => ({ deciders: approvers, settings });
      const standIns = await readStandIns(approval, action, slack, who, context);
      const link = await linkToMessage(slack, approval, 'View request');
      const message = reminderMessage(approval, action, { approvers, standIns, link });
      const at = clock();
      await store.remind({ ...due, message, nextAt: nextReminder(approval, at), at });
    } catch (error) {
      log.error({ approvalId: approval.id, err: error }, "a reminder couldn't be queued");
    }
  }
}
