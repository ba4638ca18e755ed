import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { MessageRef } from '../../slack/api/post.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { OpenService, WorkspaceSettings } from '../workspaces/index.ts';
import { advanceApproval } from './advance-approval.ts';
import { type Approval, hasEnded } from './approval.ts';
import type { ApprovalRef, ApprovalStore } from './approval-store.ts';
import { type ActionEntry, type BoundAction, createActionBinder } from './bind-action.ts';
import { cancelDeletion } from './cancel-deletion.ts';
import {
  type DecideInput,
  type DecisionRefusal,
  decideApproval,
  mayBeDecided,
} from './decide-approval.ts';
import { publishApproval } from './publish-approval.ts';
import { type ApprovalInput, requestApproval } from './request-approval.ts';
import { sweepApprovals } from './sweep-approvals.ts';
import { defaultTimings, type Timings } from './timings.ts';
import { advanceQueue, publishQueue } from './views/ids.ts';
import { refusalMessage } from './views/refusal-message.ts';
import { requestedMessage } from './views/requested-message.ts';

export type { ApprovalInput, Timings };

export type ApprovalsDependencies = {
  store: ApprovalStore;
  actions: ActionEntry[];
  openService: OpenService;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  describeFailure: (error: unknown) => string;
  describeCause: (error: unknown) => string;
  slack: SlackClient;
  clock: Clock;
  newId: () => string;
  log: Logger;
  timings?: Partial<Timings> | undefined;
};

type Deciding = Pick<DecideInput, 'teamId' | 'approvalId' | 'person'> & {
  /** The message with the button. */
  seenAt?: MessageRef | undefined;
};

export type Approvals = {
  /** Asks for a second person's approval; the result is what the requester is told. */
  request: (wish: ApprovalInput) => Promise<Message>;
  /** Approves, denies or withdraws; a refusal is what the person is told. */
  decide: (wish: Deciding & DecideInput) => Promise<Message | undefined>;
  /** Stops what waits for its time; a refusal is what the person is told. */
  keep: (wish: Deciding) => Promise<Message | undefined>;
  /** The request and its action for a denial, which needs more words, or why there can be none. */
  lookUp: (wish: Deciding) => Promise<LookedUp>;
  /** What each queue does with its jobs. */
  workers: Record<string, (data: unknown) => Promise<void>>;
  /** Does all that is due. */
  sweep: () => Promise<void>;
};

export type LookedUp = { approval: Approval; action: BoundAction } | { refusal: Message };

/** How long a message may take to show what became of its request. */
const drawingTimeMs = 5000;

const jobData = z.object({ teamId: z.string(), id: z.uuid() });

export function createApprovals(given: ApprovalsDependencies): Approvals {
  const { actions, slack, store, clock, log } = given;
  const bind = createActionBinder(actions);
  const dependencies = {
    ...given,
    timings: { ...defaultTimings, ...given.timings },
    bind,
    cappedActions: actions.filter(({ isCapped }) => isCapped).map(({ name }) => name),
    readPerson: (teamId: string, slackUserId: string) => readPerson(slack, teamId, slackUserId),
  };
  const advance = (ref: ApprovalRef) => advanceApproval(ref, dependencies);
  const publish = (ref: ApprovalRef) => publishApproval(ref, dependencies);
  const refuse = async (refusal: DecisionRefusal, call: Deciding, wish: string) => {
    const approval = refusal.result === 'gone' ? undefined : refusal.approval;
    const { teamId, person } = call;
    const by = person.slackUserId;
    await store.logRefusal({ teamId, by, wish, why: refusal.result, about: approval, at: clock() });
    if (refusal.result === 'too-late') await mend(refusal.approval, call);
    return refusalMessage(refusal, bind);
  };
  /** Whoever can still press a button of an ended request sees a message that should be another. */
  const mend = async (approval: Approval, call: Deciding) => {
    const { teamId, id } = approval;
    if (!hasEnded(approval)) return;
    // Those who clicked at the same moment as the one who decided are about to see it.
    const endedAt = approval.finishedAt ?? approval.decidedAt ?? clock();
    const isBeingDrawn = clock().getTime() - endedAt.getTime() < drawingTimeMs;
    if (approval.messageTs && isBeingDrawn) return;
    await adopt(approval, call);
    await store.markStale({ teamId, id, at: clock() });
    // The answer is owed in any case; what Slack will not draw now, a later sweep draws.
    await publish({ teamId, id }).catch((error: unknown) => {
      log.warn({ approvalId: id, err: error }, 'a closed request could not be redrawn');
    });
  };
  /** The message was posted by a process that died before it could note where. */
  const adopt = async ({ teamId, id, messageTs }: Approval, { seenAt }: Deciding) => {
    if (seenAt && !messageTs) await store.place({ teamId, id, ...seenAt });
  };

  return {
    async request(wish) {
      const asked = await requestApproval(wish, dependencies);
      if (asked.result !== 'requested' && asked.result !== 'asked-before') {
        const by = wish.requester.slackUserId;
        const { teamId, action } = wish;
        const about = { action, subjectId: bind(wish).subjectId };
        const why = asked.result === 'guarded' ? asked.guard : asked.result;
        await store.logRefusal({ teamId, by, wish: 'request', why, about, at: clock() });
      }
      return requestedMessage(asked, wish.reason);
    },

    async decide(wish) {
      const decision = await decideApproval(wish, dependencies);
      if (decision.result !== 'decided') return refuse(decision, wish, wish.to);
      await adopt(decision.approval, wish);
      return undefined;
    },

    async keep(wish) {
      const refusal = await cancelDeletion(wish, dependencies);
      return refusal && refuse(refusal, wish, 'keep');
    },

    async lookUp(wish) {
      const found = await mayBeDecided({ ...wish, to: 'denied' }, dependencies);
      if (found.result !== 'open') return { refusal: await refuse(found, wish, 'denied') };
      await adopt(found.approval, wish);
      return { approval: found.approval, action: bind(found.approval) };
    },

    workers: {
      [advanceQueue]: (data) => advance(jobData.parse(data)),
      [publishQueue]: (data) => publish(jobData.parse(data)),
    },

    sweep: () => sweepApprovals({ ...dependencies, advance, publish }),
  };
}
