import { approvableActions } from '../../src/features/actions/index.ts';
import { userActions } from '../../src/features/users/user-actions.ts';
import { verbs } from '../../src/features/users/views/ids.ts';
import type { Approval } from '../../src/requests/approval.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import type { DecisionRefusal } from '../../src/requests/decide-approval.ts';
import { createActionBinder } from '../../src/requests/define-action.ts';
import { maxRecent } from '../../src/requests/list/read-open-requests.ts';
import {
  approvalMessage,
  approverMessage,
  followerMessage,
  requesterMessage,
} from '../../src/requests/views/approval-message.ts';
import { approveModal, denyModal } from '../../src/requests/views/decision-forms.ts';
import { homeRequestBlocks } from '../../src/requests/views/home-request-blocks.ts';
import { requestFilters } from '../../src/requests/views/ids.ts';
import { refusalMessage } from '../../src/requests/views/refusal-message.ts';
import {
  formatRequestBody,
  requestBodyModal,
} from '../../src/requests/views/request-body-modal.ts';
import {
  formatOwnDecision,
  formatRecent,
  requestListMessage,
  requestsPerPage,
} from '../../src/requests/views/request-list-message.ts';
import {
  alreadyOpenMessage,
  requestNotSentMessage,
  requestSentMessage,
} from '../../src/requests/views/requested-message.ts';
import { hasResults, resultsOf } from '../../src/requests/views/subject-results.ts';
import { smallerPolicy } from '../features/policies/smaller-policy.ts';
import { restoreRequests } from '../features/restores/sample-restore.ts';
import { sampleNow as at, channelId, people } from '../features/sample-place.ts';
import type { Samples } from '../features/samples.ts';
import { changeOfRules } from '../features/setup/sample-change.ts';
import { buildApproval } from './build-approval.ts';
import { bulkRequests } from './bulk-samples.ts';
import { ruleRefusals, shortfallOf, unmetRequests, withRule } from './rules/sample-rule.ts';
import { changeSample } from './sample-approval.ts';

const states: ApprovalState[] = [
  ...(['pending', 'approved', 'running', 'scheduled', 'completed', 'canceled', 'failed'] as const),
  ...(['outcome_unknown', 'denied', 'expired', 'withdrawn', 'voided'] as const),
];
const link = '<https://harbor-ops.slack.com/archives/C1/p1|View request>';
const bind = createActionBinder(approvableActions);

/** Every builder of the approvals feature, as `everyView` lists them. */
export function everyApprovalView(samples: Samples): Record<string, unknown[]> {
  const ruled = withRule(buildApproval(samples, 'users.disable', 'pending'));
  const shortfall = shortfallOf(Array(samples.copies).fill('A reason.'));
  const stored = [
    ...verbs.flatMap((verb) =>
      states.map((state) => buildApproval(samples, `users.${verb}`, state)),
    ),
    ...states.map((state) => withVotes(buildApproval(samples, 'users.disable', state))),
    ...ruled,
    ...[samples.change, changeOfRules(samples.typed)].flatMap((change) =>
      states.map((state) =>
        changeSample(buildApproval(samples, 'setup.change', state), {
          payload: { ...change, decidedBy: 'approvers' },
          snapshot: { revision: 1 },
          preview: [],
          checks: [],
          attempts: 1,
        }),
      ),
    ),
  ];
  const policies = policyActionNames.flatMap((name) =>
    policyStates.map((state) => policyChangeOf(samples, name, state)),
  );
  const bulk = bulkRequests(samples);
  const restores = restoreRequests(samples);
  const approvals = [...stored, ...policies, ...restores, ...bulk].map((approval) => ({
    approval,
    action: bind(approval),
  }));
  const open = approvals
    .filter(({ approval: { state } }) => state === 'pending' || state === 'scheduled')
    .map((one) => ({ ...one, group: 'waiting' as const, isCancelable: false }));
  const ended = approvals.filter(({ approval: { finishedAt } }) => finishedAt).slice(0, maxRecent);
  const recent = formatRecent(
    ended.map((one) => ({ ...one, link })),
    people.ben,
  );
  const omitted = { isCut: true, unreadable: 2 };
  const homeRequests = (decidable: typeof open, own: typeof open, left?: typeof omitted) => ({
    type: 'home',
    blocks: homeRequestBlocks(
      {
        decidable: decidable.filter(({ approval }) => approval.state === 'pending'),
        own,
        recent,
        omitted: left,
      },
      {
        links: new Map(approvals.map(({ approval }) => [approval.id, link])),
        settings: { approvers: [people.ana, people.ben] },
      },
    ),
  });
  const [first] = approvals;
  if (!first) throw new Error('there is no request');
  const approvers = [people.ana, people.ben];
  const standIns = [
    { standIn: people.cleo, approver: people.ben },
    { standIn: people.dee, approver: people.ana },
  ];
  const standsInFor = { slackUserId: people.ben, mailboxHash: 'hash' };
  const approvedByStandIn = {
    state: 'pending' as const,
    requiredApprovals: 2,
    votes: [{ by: people.cleo, mailboxHash: 'other', at, standsInFor, meets: [0] }],
  };
  const requester = { slackUserId: people.ben, isAdmin: false, membership: 'member' } as const;
  return {
    approvalMessage: [
      ...approvals.map(({ approval, action }) => approvalMessage(approval, action, approvers)),
      ...ruled.map((one) => approvalMessage(one, bind(one), [], { shortfall })),
      ...[first.approval, { ...first.approval, ...approvedByStandIn }].map((one) =>
        approvalMessage(one, first.action, approvers, { standIns }),
      ),
      ...bulk.map((approval) =>
        approvalMessage(approval, bind(approval), approvers, {
          results: hasResults(approval) ? resultsOf(approval, bind) : undefined,
        }),
      ),
    ],
    refusalMessage: [
      ...approvals.map(({ approval, action }) =>
        refusalMessage({ result: 'request_closed', approval }, () => action),
      ),
      ...approvals
        .slice(0, 1)
        .flatMap(({ approval, action }) =>
          refusalsOf(approval).map((refusal) => refusalMessage(refusal, () => action)),
        ),
      ...ruled.flatMap((one) =>
        ruleRefusals(one).map((refusal) => refusalMessage(refusal, bind, shortfall)),
      ),
    ],
    requestListMessage: [
      requestListMessage(
        approvals
          .filter(({ approval: { state } }) => state === 'pending' || state === 'scheduled')
          .slice(0, requestsPerPage)
          .map((one, index) => ({ ...one, group: groupOf(one.approval, index), link }))
          .map((one) => ({ ...one, isCancelable: one.approval.state === 'scheduled' }))
          .toSorted((one, other) => other.group.localeCompare(one.group)),
        { start: 10, filter: 'all', total: 42, waiting: 1, seesAll: true, omitted },
        { outcome: formatOwnDecision(withVotes(first.approval), first.action, 'approved'), recent },
      ),
      requestListMessage(
        restores
          .filter(({ state }) => state === 'running')
          .map((approval) => ({ approval, action: bind(approval) }))
          .map((one) => ({ ...one, group: 'mine', isCancelable: true, link })),
        { start: 0, filter: 'mine', total: 2, waiting: 0, seesAll: false },
      ),
      ...(['denied', 'withdrawn', 'canceled', 'aborted'] as const).map((decision) =>
        requestListMessage(
          policies.slice(0, 1).map((approval) => ({
            approval,
            action: bind(approval),
            link,
            group: 'waiting',
            isCancelable: false,
          })),
          { start: 0, filter: 'waiting', total: 1, waiting: 1, seesAll: true },
          { outcome: formatOwnDecision(first.approval, first.action, decision) },
        ),
      ),
      ...requestFilters.flatMap((filter) =>
        [true, false].map((seesAll) =>
          requestListMessage([], { start: 0, filter, total: 0, waiting: 0, seesAll }),
        ),
      ),
    ],
    homeRequestBlocks: [
      ...open.map((one) => homeRequests([one], [one])),
      homeRequests([], []),
      homeRequests([], [], omitted),
      // More than the Home tab shows.
      homeRequests(Array(6).fill(open[0]), Array(7).fill(open[0])),
    ],
    requestSentMessage: [1, 2].map((requiredApprovals) =>
      requestSentMessage({ ...first.approval, requiredApprovals }, first.action),
    ),
    requestNotSentMessage: [
      requestNotSentMessage({ result: 'requested-before' }, ''),
      requestNotSentMessage({ result: 'connection_replaced' }, samples.reason),
      requestNotSentMessage({ result: 'no_audience' }, samples.users[0].fullName ?? ''),
      requestNotSentMessage(
        { result: 'no_approver', reasons: Array(samples.copies).fill('A reason.') },
        samples.users[0].fullName ?? '',
      ),
      requestNotSentMessage(
        {
          result: 'too_few_approvers',
          required: 3,
          able: [people.ben],
          reasons: Array(samples.copies).fill('A reason.'),
        },
        samples.reason,
      ),
      ...unmetRequests.map((unmet) =>
        requestNotSentMessage(unmet(Array(samples.copies).fill('A reason.')), samples.reason),
      ),
      requestNotSentMessage(
        { result: 'limit_reached', limit: 'Belay disables at most 10 users', left: 0, added: 50 },
        samples.reason,
      ),
      requestNotSentMessage({ result: 'not_posted', channelId }, samples.users[0].fullName ?? ''),
    ],
    followerMessage: approvals.map(({ approval, action }) =>
      followerMessage(approval, action, { approvers, link }),
    ),
    approverMessage: approvals.flatMap(({ approval, action }) =>
      [true, false].map((isDecidable) =>
        approverMessage(approval, action, { approvers, link, isDecidable }),
      ),
    ),
    alreadyOpenMessage: [...approvals.slice(0, 1), ...approvals.slice(-1)].map(
      ({ approval, action }) =>
        alreadyOpenMessage(approval, action, {
          requester: { ...requester, email: undefined },
          prepared: { action },
          reason: samples.reason,
        }),
    ),
    requesterMessage: approvals.map(({ approval, action }) =>
      requesterMessage(approval, action, {
        approvers,
        link,
        isUndone: approval.action === 'users.disable' && approval.state === 'completed',
      }),
    ),
    requestBodyModal: [formatRequestBody({ name: samples.policyName }), 'x'.repeat(400_000)].map(
      requestBodyModal,
    ),
    denyModal: approvals.slice(0, 1).map(({ approval, action }) => denyModal(approval, action)),
    approveModal: approvals
      .filter(({ approval: { state } }) => state === 'pending')
      .map(({ approval, action }) => approveModal(approval, action)),
  };
}

function groupOf({ state }: Approval, index: number): 'waiting' | 'mine' | 'other' {
  if (index % 3 === 0) return 'other';
  return state === 'pending' && index % 3 === 1 ? 'waiting' : 'mine';
}

function refusalsOf(approval: Approval): DecisionRefusal[] {
  const why = `This request is about <@${people.ben}>, so they can't approve or deny it.`;
  return [
    { result: 'request_not_found' },
    { result: 'own_request', approval },
    { result: 'not_requester', approval },
    { result: 'not_approver', approval, approvers: [] },
    { result: 'not_approver', approval, approvers: [people.ben] },
    { result: 'approver_is_subject', approval, why },
    { result: 'already_approved', approval, why },
    {
      result: 'limit_reached',
      approval,
      limit: userActions['users.delete'].limit?.describe(10) ?? '',
    },
    {
      result: 'already_due',
      approval,
      why: 'Too late to cancel: the deletion is already running.',
    },
  ];
}

/** The same, for a request that needs three people. */
function withVotes(approval: Approval): Approval {
  const comment = approval.decisionReason;
  const vote = (by: string) => ({ by, mailboxHash: by, at, comment, meets: [0] });
  const isShort = ['pending', 'denied', 'expired', 'withdrawn'].includes(approval.state);
  const voters = isShort ? [people.cleo, people.gus] : [people.cleo, people.gus, people.ben];
  return { ...approval, requiredApprovals: 3, votes: voters.map(vote) };
}

const policyStates = ['pending', 'approved', 'completed', 'failed', 'voided'] as const;
const policyActionNames = ['policies.create', 'policies.replace', 'policies.revert'] as const;

function policyChangeOf(
  samples: Samples,
  action: (typeof policyActionNames)[number],
  state: ApprovalState,
): Approval {
  const policies = samples.policies.slice(0, 2).map(({ definition }) => smallerPolicy(definition));
  const [before = emptyPolicy, after = before] = policies;
  const isNew = action === 'policies.create';
  return changeSample(buildApproval(samples, 'users.rename', state), {
    action,
    payload: {
      after,
      body: { name: samples.policyName },
      sameName: ['p-2'],
      ...(isNew ? {} : { policyId: 'p-1', before }),
    },
    subjectId: isNew ? samples.policyName : 'p-1',
    snapshot: isNew ? {} : before,
    step: action.slice('policies.'.length),
    preview: [],
    checks: [],
    sent: [{ step: action.slice('policies.'.length), attempt: 1 }],
  });
}

const emptyPolicy = { id: 'p-1', name: 'Gold', slaSets: [], otherFields: {} };
