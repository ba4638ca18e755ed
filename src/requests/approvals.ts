import { type RefusedAttempt, refusedAttempts } from '../audit-log/registry.ts';
import { type Clock, isRecent } from '../clock.ts';
import { subDays } from '../dates.ts';
import type { DueWork } from '../jobs/due-work.ts';
import type { Logger } from '../logger.ts';
import { once } from '../once.ts';
import type { AdminDirectory } from '../slack/api/list-admins.ts';
import { createMessageLinks } from '../slack/api/message-links.ts';
import type { Person } from '../slack/api/person.ts';
import type { MessageRef } from '../slack/api/post.ts';
import type { SlackClients } from '../slack/api/slack-clients.ts';
import type { Outsider } from '../slack/interactions/authorize-caller.ts';
import type { Interaction } from '../slack/interactions/interaction.ts';
import type { KnownBlock, Message } from '../slack/ui/blocks.ts';
import { addReference } from '../tracing.ts';
import { createTurns } from '../turns.ts';
import type { Access } from '../workspace/access/access.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import { abortTask } from './abort-task.ts';
import type { Action, Openers, RequestButton } from './action.ts';
import { type Approval, type ApprovalRef, referenceOf } from './approval.ts';
import { hasEnded } from './approval-state.ts';
import { createRunReviews, type RunReviews } from './break-glass/review-runs.ts';
import { runBreakGlass } from './break-glass/run-break-glass.ts';
import { cancelScheduled } from './cancel-scheduled.ts';
import { publishRequest } from './copies/publish-request.ts';
import {
  checkDecision,
  type DecideInput,
  type DecisionRefusal,
  decideApproval,
  recordPlace,
} from './decide-approval.ts';
import { type ActionEntries, createActionBinder } from './define-action.ts';
import { type DecideInListInput, decideInList } from './list/decide-in-list.ts';
import { describeOpen } from './list/describe-open.ts';
import { listStartedTasks, type StartedTask } from './list/list-started-tasks.ts';
import type { LostBySetup } from './list/list-store.ts';
import { listWaiting, type WaitingRequest } from './list/list-waiting.ts';
import { showHomeRequests } from './list/show-home-requests.ts';
import { type ListReader, showRequests } from './list/show-requests.ts';
import { followRequest } from './people/follow-request.ts';
import { logOutsider } from './people/log-outsider.ts';
import { createReminders } from './reminders/send-reminders.ts';
import { type ApprovalInput, requestApproval } from './request-approval.ts';
import type { RequestContext } from './request-context.ts';
import { createRequestWork, type RequestWork } from './request-work.ts';
import type { Shortfall } from './rules/find-shortfall.ts';
import { createShortfallReader } from './rules/read-shortfall.ts';
import { advanceRun, passDeadline } from './run/advance-approval.ts';
import { type InspectInput, type Inspection, inspectSubjects } from './several/inspect-subjects.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import type { RequestedChange } from './store/following.ts';
import type { DueRef } from './store/running.ts';
import { defaultTimings, retentionDays, type Timings } from './timings.ts';
import { hideUndo, type UndoneByOthers } from './undone-requests.ts';
import type { RequestPage } from './views/ids.ts';
import { openRequestBlocks } from './views/open-request.ts';
import { partlyCanceled, refusalMessage } from './views/refusal-message.ts';
import {
  alreadyOpenMessage,
  requestNotSentMessage,
  requestSentMessage,
} from './views/requested-message.ts';
import { type FormInput, warnOfRefusal } from './warn-of-refusal.ts';

type ApprovalsDependencies = Openers & {
  store: ApprovalStore;
  actions: ActionEntries;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  /** For work outside listeners. */
  clients: SlackClients;
  access: Pick<Access, 'readPerson' | 'openPeople' | 'listMembers' | 'listStandIns'>;
  adminDirectory: AdminDirectory;
  clock: Clock;
  log: Logger;
  timings?: Partial<Timings> | undefined;
};

type Click = Pick<DecideInput, 'teamId' | 'approvalId' | 'person'> & {
  /** The message with the button. */
  clickedOn?: MessageRef | undefined;
};

export type Approvals = RunReviews & {
  /** Requests a second person's approval, or runs without; resolves to the reply for the requester. */
  request: (input: ApprovalInput) => Promise<Message>;
  /** Checks each subject of a request about several, and all of them against the limit. */
  inspectSubjects: (input: InspectInput) => Promise<Inspection>;
  /** Approves, denies or withdraws; resolves to the reply for a person who was refused. */
  decide: (input: Click & DecideInput) => Promise<Message | undefined>;
  /**
   * Cancels a scheduled step; resolves to the reply for a person who was refused, or who could cancel
   * only some of several.
   */
  cancel: (input: Click) => Promise<Message | undefined>;
  /** Aborts the task that makes the change; resolves to the reply for a person who was refused. */
  abort: (input: Click) => Promise<Message | undefined>;
  /** The request and its action for the form of a decision, or the refusal. */
  openDecision: (input: Click & Pick<DecideInput, 'to'>) => Promise<OpenedDecision>;
  /** Warns in a form that its request would be refused: mrkdwn; undefined if it could be made. */
  warnOfRefusal: (input: FormInput) => Promise<string | undefined>;
  /** The waiting requests that a save of the setup voids. */
  listWaiting: (teamId: string, lost: LostBySetup) => Promise<WaitingRequest[]>;
  /** The request as it is stored. */
  find: (ref: ApprovalRef) => Promise<Approval | undefined>;
  /** The exact text that a request sends; undefined if there is none. */
  readBody: (ref: ApprovalRef) => Promise<string | undefined>;
  /** What the person may decide, or else their own open requests; undefined without any. */
  describeOpen: (call: ListReader) => Promise<KnownBlock | undefined>;
  /** A page of the open requests, for a person to read. */
  showRequests: (call: ListReader & { page: RequestPage; outcome?: string }) => Promise<Message>;
  /** The last tasks that Belay started on a connection. */
  listStartedTasks: (call: Interaction, originId: string) => Promise<StartedTask[]>;
  /** Decides a request of such a page; resolves to the page as it is then. */
  decideInList: (input: DecideInListInput) => Promise<Message>;
  /** What waits for a person, for their Home tab. */
  showOnHome: (reader: Omit<ListReader, 'connection' | 'settings'>) => Promise<KnownBlock[]>;
  /** Follows a request; resolves to the reply. */
  follow: (input: Click) => Promise<Message>;
  /** Removes the undo button from the request that was clicked on: its change was undone already. */
  hideUndo: (input: UndoneByOthers) => Promise<void>;
  /** The question to ask a person who wants a change that is requested already; else undefined. */
  askAboutOpen: (input: OpenQuestion) => Promise<KnownBlock[] | undefined>;
  /** Logs the refusal of somebody who is not a full member of the workspace. */
  logOutsider: (outsider: Outsider) => Promise<void>;
  /** Makes the changes that are due, and updates outdated messages. */
  work: RequestWork;
  /** Queues the reminders that are due. */
  remind: DueWork;
  /** Deletes requests that ended long ago; once an hour is enough. */
  prune: () => Promise<void>;
};

type OpenQuestion = RequestedChange & {
  person: Person;
  /** The button that opens the form anyway. */
  again: RequestButton;
};

type OpenedDecision = { approval: Approval; action: Action } | { refusal: Message };

/** How long a message may take to show that its request has ended. */
const renderingTimeMs = 5000;

export function createApprovals(given: ApprovalsDependencies): Approvals {
  const { actions, clients, store, clock, log } = given;
  const bind = createActionBinder(actions);
  const linkToRequest = createMessageLinks();
  const context: RequestContext = {
    ...given,
    timings: { ...defaultTimings, ...given.timings },
    bind,
    readPerson: async (teamId: string, slackUserId: string) =>
      given.access.readPerson(await clients.clientFor(teamId), slackUserId),
    openPeople(teamId: string) {
      let opening: Promise<(slackUserId: string) => Promise<Person>> | undefined;
      return async (slackUserId: string) => {
        opening ??= clients.clientFor(teamId).then(given.access.openPeople);
        return (await opening)(slackUserId);
      };
    },
    listMembers: given.access.listMembers,
    listStandIns: given.access.listStandIns,
  };
  // Where Belay isn't installed it remains due.
  const advance = async ({ of, approvalId, ...ref }: DueRef) => {
    addReference(referenceOf({ id: approvalId }));
    if (!(await clients.find(ref))) return;
    await (of === 'request' ? passDeadline(ref, context) : advanceRun(ref, context));
  };
  const publish = async (ref: ApprovalRef) => {
    addReference(referenceOf(ref));
    const slack = await clients.find(ref);
    return slack && publishRequest(ref, { ...context, slack });
  };

  const work = createRequestWork({ ...context, advance, publish });

  async function refuse(refusal: DecisionRefusal, click: Click, attempt: RefusedAttempt) {
    const approval = refusal.result === 'request_not_found' ? undefined : refusal.approval;
    const { teamId, person } = click;
    const by = person.slackUserId;
    const reason = refusal.result;
    await store.logRefusal({ teamId, by, attempt, reason, about: approval, at: clock() });
    if (refusal.result === 'request_closed') await repairMessage(refusal.approval, click);
    if (refusal.result === 'rule_changed') {
      await store.voidOutdated({ teamId, id: refusal.approval.id, at: clock() });
    }
    return refusalMessage(refusal, bind, await shortfallOf(refusal));
  }

  const readShortfallOnce = createShortfallReader(context);

  /** Why the rule of the request can't be met, if it can't. */
  async function shortfallOf(refusal: DecisionRefusal): Promise<Shortfall[]> {
    const isAboutPerson = ['not_approver', 'groups_already_approved', 'already_approved'].includes(
      refusal.result,
    );
    if (refusal.result === 'request_not_found' || !isAboutPerson || !refusal.approval.rule)
      return [];
    return readShortfallOnce(refusal.approval);
  }

  /** A click on a button of an ended request means that its message is outdated. */
  async function repairMessage(approval: Approval, click: Click): Promise<void> {
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

  const takeTurn = createTurns(1);
  const decide: Approvals['decide'] = async (input) => {
    // Only the first of a person's simultaneous clicks can count. The others are refused without calls
    // to Slack and without waiting for the locks of a decision.
    const key = `${input.approvalId} ${input.person.slackUserId}`;
    const decision = await takeTurn(key, () => decideApproval(input, context));
    return decision.result === 'decided' ? undefined : refuse(decision, input, input.to);
  };

  const abort: Approvals['abort'] = async (input) => {
    const result = await abortTask(input, context);
    return result.result === 'requested'
      ? undefined
      : refuse(result, input, refusedAttempts.cancel);
  };

  const cancel: Approvals['cancel'] = async (input) => {
    const cancellation = await cancelScheduled(input, context);
    if (cancellation.result !== 'canceled') {
      return refuse(cancellation, input, refusedAttempts.cancel);
    }
    return cancellation.running > 0 ? partlyCanceled(cancellation) : undefined;
  };

  return {
    async request(input) {
      const send = input.isBreakGlass ? runBreakGlass : requestApproval;
      const requested = await send(input, context);
      if (requested.result === 'already-open') return alreadyOpenMessage(requested.approval, input);
      if (requested.result === 'requested') {
        await input.onRequested?.();
        return requestSentMessage(requested.approval, input.prepared.action);
      }
      if (requested.result !== 'requested-before') {
        const { teamId, prepared, subjects = [{ prepared }], requester } = input;
        const about = {
          action: prepared.name,
          runs: subjects.map((one) => one.prepared.action),
          subject: prepared.action.audited.subject,
        };
        const reason = requested.result === 'guarded' ? requested.guard : requested.result;
        const attempt = refusedAttempts[input.isBreakGlass ? 'breakGlass' : 'request'];
        const by = requester.slackUserId;
        await store.logRefusal({ teamId, by, attempt, reason, about, at: clock() });
      } else {
        await input.onRequested?.();
      }
      return requestNotSentMessage(requested, input.reason);
    },

    ...createRunReviews(context),

    inspectSubjects: (input) => inspectSubjects(input, context),

    warnOfRefusal: (input) => warnOfRefusal(input, context),

    decide,
    cancel,
    abort,
    decideInList: (input) => decideInList(input, { ...context, decide, cancel, abort }),

    async openDecision(input) {
      const found = await checkDecision(input, context);
      if (found.result !== 'open') return { refusal: await refuse(found, input, input.to) };
      await recordPlace(found.approval, input, store);
      return { approval: found.approval, action: bind(found.approval) };
    },

    listWaiting: (teamId, lost) => listWaiting({ teamId, lost }, context),

    describeOpen: (call) => describeOpen(call, context),
    showRequests: (call) => showRequests(call, context),
    listStartedTasks: (call, originId) => listStartedTasks(call, originId, context),
    showOnHome(reader) {
      const settings = once(() => context.readSettings(reader.teamId));
      return showHomeRequests({ ...reader, settings }, { ...context, linkToRequest });
    },

    find: (ref) => store.find(ref),

    async readBody(ref) {
      const approval = await store.find(ref);
      return approval && bind(approval).requestBody;
    },

    follow: ({ person: { slackUserId }, ...click }) =>
      followRequest({ ...click, slackUserId }, context),

    async hideUndo(input) {
      const slack = await clients.clientFor(input.teamId);
      await hideUndo(input, { ...context, slack });
    },

    async askAboutOpen({ person: { slackUserId }, again, ...change }) {
      const open = await store.findOpen({ ...change, at: clock() });
      return open && openRequestBlocks(open, bind(open), { slackUserId, again });
    },

    logOutsider: (outsider) => logOutsider(outsider, context),

    work,
    remind: createReminders(context),
    prune: () => store.prune(subDays(clock(), retentionDays)),
  };
}
