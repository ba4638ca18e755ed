import type { Logger } from '../../logger.ts';
import { notice } from '../../slack/blocks.ts';
import { redrawMessage, sendDirectMessage } from '../../slack/post.ts';
import type { SlackClient } from '../../slack/slack-client.ts';
import type { WorkspaceSettings } from '../workspaces/workspaces.ts';
import type { BindAction } from './approvable-action.ts';
import { type Approval, hasEnded } from './approval.ts';
import { approvalMessage } from './approval-message.ts';
import type { ApprovalStore } from './approval-store.ts';
import { stateLine } from './state-line.ts';

export type PublishDependencies = {
  slack: SlackClient;
  store: Pick<ApprovalStore, 'markDrawn' | 'markTold'>;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  log: Logger;
};

/**
 * Redraws the request in its channel from the row and tells the asker how it ended, each only if
 * that is still to be done. The state in the database is what counts: what cannot be said now never
 * undoes a decision; it is logged, and the sweep comes back to it.
 */
export async function publishApproval(
  approval: Approval,
  { slack, store, bind, readSettings, log }: PublishDependencies,
): Promise<void> {
  const { id, channelId, messageTs, requester, state, teamId, version } = approval;
  const action = bind(approval);
  const attempt = async (what: string, say: () => Promise<void>) => {
    try {
      await say();
    } catch (error) {
      log.error({ teamId, approvalId: id, state, err: error }, what);
    }
  };

  if (messageTs && approval.drawnVersion < version) {
    await attempt('a request could not be redrawn', async () => {
      const { approvers } = await readSettings(teamId);
      const message = approvalMessage(approval, action, approvers);
      await redrawMessage(slack, { channelId, messageTs }, message);
      await store.markDrawn({ teamId, id, version });
    });
  }
  if (!hasEnded(approval) || state === 'withdrawn' || approval.toldVersion >= version) return;
  await attempt('the asker could not be told', async () => {
    const outcome = `Your request to ${action.summary}: ${stateLine(approval, action)}`;
    await sendDirectMessage(slack, requester, notice(outcome));
    await store.markTold({ teamId, id, version });
  });
}
