import type { Logger } from '../../logger.ts';
import { notice } from '../../slack/blocks.ts';
import { redrawMessage, sendDirectMessage } from '../../slack/post.ts';
import type { SlackClient } from '../../slack/slack-client.ts';
import type { WorkspaceSettings } from '../workspaces/workspaces.ts';
import type { BindAction } from './approvable-action.ts';
import type { Approval } from './approval.ts';
import { approvalMessage } from './approval-message.ts';
import { stateLine } from './state-line.ts';

export type PublishDependencies = {
  slack: SlackClient;
  bind: BindAction;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  log: Logger;
};

const passing = new Set<Approval['state']>(['pending', 'approved', 'executing']);

/**
 * Redraws the request in its channel from the row and tells the asker how it ended. The state in the
 * database is what counts: a message that cannot be edited is logged and never undoes a decision.
 */
export async function publishApproval(
  approval: Approval,
  { slack, bind, readSettings, log }: PublishDependencies,
): Promise<void> {
  const { channelId, messageTs, requester, state, teamId } = approval;
  const action = bind(approval);
  const { approvers } = await readSettings(teamId);
  const complain = (what: string) => (error: unknown) =>
    log.error({ teamId, approvalId: approval.id, state, err: error }, what);

  if (messageTs) {
    const message = approvalMessage(approval, action, approvers);
    await redrawMessage(slack, { channelId, messageTs }, message).catch(
      complain('a request could not be redrawn'),
    );
  }
  if (passing.has(state) || state === 'withdrawn') return;
  const outcome = `Your request to ${action.summary}: ${stateLine(approval, action)}`;
  await sendDirectMessage(slack, requester, notice(outcome)).catch(
    complain('the asker could not be told'),
  );
}
