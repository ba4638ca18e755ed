import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { Message } from '../../slack/blocks.ts';
import { type Person, readPerson } from '../../slack/person.ts';
import type { SlackClient } from '../../slack/slack-client.ts';
import type { OpenService, WorkspaceSettings } from '../workspaces/workspaces.ts';
import { type ActionEntry, createActionBinder } from './approvable-action.ts';
import { type Approval, hasEnded } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import { type DecisionRefusal, decideApproval, refuse } from './decide-approval.ts';
import { executeApproval } from './execute-approval.ts';
import { publishApproval } from './publish-approval.ts';
import { refusalMessage } from './refusal-message.ts';
import { type ApprovalWish, requestApproval } from './request-approval.ts';
import { requestedMessage } from './requested-message.ts';
import { sweepApprovals } from './sweep-approvals.ts';

export { type ActionEntry, defineAction } from './approvable-action.ts';
export type { ApprovalWish };

export type ApprovalsDependencies = {
  store: ApprovalStore;
  actions: ActionEntry[];
  openService: OpenService;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  describeFailure: (error: unknown) => string;
  slack: SlackClient;
  clock: Clock;
  newId: () => string;
  log: Logger;
};

export type Approvals = {
  /** Asks for a second person's approval; the result is what the asker is told. */
  request: (wish: ApprovalWish) => Promise<Message>;
  /** Approves and carries out, denies, or withdraws; a refusal is what the person is told. */
  decide: (wish: DecideWish) => Promise<Message | undefined>;
  /** The request and its action for a decision that needs more words, or why there can be none. */
  lookUp: (wish: Pick<DecideWish, 'teamId' | 'approvalId' | 'person' | 'to'>) => Promise<LookedUp>;
  /** Redraws a request whose row was changed elsewhere. */
  redraw: (ref: { teamId: string; id: string }) => Promise<void>;
  /** Expires what is due and picks up what a dead process left. */
  sweep: () => Promise<void>;
};

export type DecideWish = {
  teamId: string;
  approvalId: string;
  person: Person;
  to: 'approved' | 'denied' | 'withdrawn';
  reason?: string;
};

export type LookedUp =
  | { approval: Approval; action: ReturnType<ReturnType<typeof createActionBinder>> }
  | { refusal: Message };

export function createApprovals(given: ApprovalsDependencies): Approvals {
  const bind = createActionBinder(given.actions);
  const dependencies = {
    ...given,
    bind,
    readPerson: (teamId: string, slackUserId: string) =>
      readPerson(given.slack, teamId, slackUserId),
  };
  const { store } = dependencies;
  const publish = (approval: Approval) => publishApproval(approval, dependencies);
  const execute = (approval: Approval) => executeApproval(approval, dependencies);
  const refused = async (refusal: DecisionRefusal) => {
    // Whoever can click an ended request sees buttons that should be gone.
    if (refusal.result === 'too-late' && hasEnded(refusal.approval))
      await publish(refusal.approval);
    return refusalMessage(refusal, bind);
  };

  return {
    async request(wish) {
      const result = await requestApproval(wish, dependencies);
      // Someone may have decided between the posting and the note of where it was posted.
      if (result.result === 'requested' && result.approval.state !== 'pending') {
        await publish(result.approval);
      }
      return requestedMessage(result, wish.reason);
    },

    async decide(wish) {
      const decision = await decideApproval(wish, dependencies);
      if (decision.result !== 'decided') return refused(decision);
      await publish(decision.approval);
      if (wish.to !== 'approved') return undefined;
      const ended = await execute(decision.approval);
      if (ended) await publish(ended);
      return undefined;
    },

    async lookUp({ teamId, approvalId, person, to }) {
      const ref = { teamId, id: approvalId };
      const refusal = await refuse(ref, person, to, dependencies);
      if (refusal) return { refusal: await refused(refusal) };
      const approval = await store.find(ref);
      if (!approval) return { refusal: await refused({ result: 'gone' }) };
      return { approval, action: bind(approval) };
    },

    async redraw(ref) {
      const approval = await store.find(ref);
      if (approval) await publish(approval);
    },

    sweep: () => sweepApprovals({ ...dependencies, execute, publish }),
  };
}
