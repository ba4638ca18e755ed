import type { Clock } from '../../../clock.ts';
import type { Logger } from '../../../logger.ts';
import { linkToMessage } from '../../../slack/api/post.ts';
import type { SlackClients } from '../../../slack/api/slack-clients.ts';
import type { Access } from '../../access/index.ts';
import type { WorkspaceSettings } from '../../workspaces/index.ts';
import type { BindAction } from '../bind-action.ts';
import { readStandIns } from '../people/read-stand-ins.ts';
import { decidersOf } from '../rules/requirements.ts';
import type { ApprovalStore } from '../store/approval-store.ts';
import { nextReminder } from './next-reminder.ts';
import { reminderMessage } from './views/reminder-message.ts';

export type ReminderDependencies = {
  store: Pick<ApprovalStore, 'findDueReminders' | 'remind'>;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  listStandIns: Access['listStandIns'];
  clients: SlackClients;
  clock: Clock;
  log: Logger;
};

/**
 * Queues the reminders that are due, one for each request however many were missed. Any number of
 * processes may do so at once.
 */
export async function sendReminders({
  store,
  bind,
  readSettings,
  listStandIns,
  clients,
  clock,
  log,
}: ReminderDependencies): Promise<void> {
  for (const due of await store.findDueReminders(clock())) {
    const { approval } = due;
    const { teamId } = approval;
    try {
      const slack = await clients.find({ teamId });
      if (!slack) continue;
      const action = bind(approval);
      const settings = await readSettings(teamId);
      const approvers = decidersOf(approval, action, settings);
      const who = async () => ({ deciders: approvers, settings });
      const standIns = await readStandIns(approval, action, slack, who, { listStandIns, log });
      const link = await linkToMessage(slack, approval, 'View request');
      const message = reminderMessage(approval, action, { approvers, standIns, link });
      const at = clock();
      await store.remind({ ...due, message, nextAt: nextReminder(approval, at), at });
    } catch (error) {
      log.error({ approvalId: approval.id, err: error }, "a reminder couldn't be queued");
    }
  }
}
