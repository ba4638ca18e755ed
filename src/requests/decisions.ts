import type { RefusedAttempt } from '../audit-log/registry.ts';
import { isRecent } from '../clock.ts';
import type { Message } from '../slack/ui/blocks.ts';
import { createTurns } from '../turns.ts';
import type { Action } from './action.ts';
import type { Approval, ApprovalRef } from './approval.ts';
import { hasEnded } from './approval-state.ts';
import { abortTask, cancelScheduled } from './cancel-change.ts';
import {
  checkDecision,
  type DecideInput,
  type DecisionClick,
  type DecisionRefusal,
  decideApproval,
  logRefusal,
  recordPlace,
} from './decide-approval.ts';
import type { RequestContext } from './request-context.ts';
import type { Shortfall } from './rules/find-shortfall.ts';
import { createShortfallReader } from './rules/read-shortfall.ts';
import { partlyCanceled, refusalMessage } from './views/refusal-message.ts';

/** What a person can do with a request of which they see the buttons. */
export type Decision = DecideInput['to'] | 'canceled' | 'aborted';

/** How long a message may take to show that its request has ended. */
const renderingTimeMs = 5000;

export type Decisions = ReturnType<typeof createDecisions>;

/** Decisions about requests, with the answers to people who are refused. `publish` updates the messages. */
export function createDecisions(
  context: RequestContext,
  publish: (ref: ApprovalRef) => Promise<unknown>,
) {
  const { store, bind, clock, log } = context;
  const takeTurn = createTurns(1);
  const readShortfall = createShortfallReader(context);

  async function refuse(refusal: DecisionRefusal, click: DecisionClick, attempt: RefusedAttempt) {
    await logRefusal(refusal, click, attempt, context);
    if (refusal.result === 'request_closed') await repairMessage(refusal.approval, click);
    if (refusal.result === 'rule_changed') {
      const { teamId, id } = refusal.approval;
      await store.voidOutdated({ teamId, id, at: clock() });
    }
    return refusalMessage(refusal, bind, await shortfallOf(refusal));
  }

  /** Why the rule of the request can't be met, if it can't. */
  async function shortfallOf(refusal: DecisionRefusal): Promise<Shortfall[]> {
    const isAboutPerson = ['not_approver', 'groups_already_approved', 'already_approved'].includes(
      refusal.result,
    );
    if (refusal.result === 'request_not_found' || !isAboutPerson || !refusal.approval.rule)
      return [];
    return readShortfall(refusal.approval);
  }

  /** A click on a button of an ended request means that its message is outdated. */
  async function repairMessage(approval: Approval, click: DecisionClick): Promise<void> {
    const { teamId, id } = approval;
    if (!hasEnded(approval)) return;
    // Just ended by somebody else's click: the message is about to be updated anyway.
    const endedAt = approval.finishedAt ?? approval.decidedAt ?? clock();
    if (approval.messageTs && isRecent(endedAt, clock(), renderingTimeMs)) return;
    await recordPlace(approval, click, store);
    await store.markStale({ teamId, id });
    // The person gets an answer in any case; what Slack refuses now is tried again later.
    await publish({ teamId, id }).catch((error: unknown) => {
      log.warn(
        { approvalId: id, err: error },
        'the message of a closed request could not be updated',
      );
    });
  }

  return {
    /**
     * Decides a request, cancels its scheduled step or aborts its task. Resolves to the reply for a person
     * who was refused, or who could cancel only some of several changes.
     */
    async decide({
      to,
      reason,
      ...click
    }: DecisionClick & { to: Decision; reason?: string | undefined }): Promise<
      Message | undefined
    > {
      if (to === 'canceled') {
        const canceled = await cancelScheduled(click, context);
        if (canceled.result !== 'canceled') return refuse(canceled, click, 'cancel');
        return canceled.running > 0 ? partlyCanceled(canceled) : undefined;
      }
      if (to === 'aborted') {
        const aborted = await abortTask(click, context);
        if (aborted.result !== 'requested') return refuse(aborted, click, 'cancel');
        return undefined;
      }
      // Only the first of a person's simultaneous clicks can count. The others are refused without calls
      // to Slack and without waiting for the locks of a decision.
      const decided = await takeTurn(`${click.approvalId} ${click.person.slackUserId}`, () =>
        decideApproval({ ...click, to, reason }, context),
      );
      return decided.result === 'decided' ? undefined : refuse(decided, click, to);
    },

    /** The request and its action for the form of a decision, or the refusal. */
    async openDecision(
      input: DecisionClick & Pick<DecideInput, 'to'>,
    ): Promise<{ approval: Approval; action: Action } | { refusal: Message }> {
      const found = await checkDecision(input, context);
      if (found.result !== 'open') return { refusal: await refuse(found, input, input.to) };
      await recordPlace(found.approval, input, store);
      return { approval: found.approval, action: bind(found.approval) };
    },
  };
}
