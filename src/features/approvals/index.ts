export type {
  ActionDefinition,
  ActionLimit,
  ActionTarget,
  Check,
  CheckContext,
  DescribedAction,
  Detail,
  FollowLimits,
  Progress,
  RequestButton,
  RunResult,
  Step,
  StepDone,
  UndoButton,
} from './action.ts';
export type { ApprovalRef } from './approval.ts';
export { type Approval, referenceOf } from './approval.ts';
export { type Approvals, createApprovals } from './approvals.ts';
export { offersBreakGlass } from './break-glass/break-glass-right.ts';
export { readUnreviewed, type UnreviewedRuns } from './break-glass/break-glass-store.ts';
export { formatReviewCount } from './break-glass/views/review-blocks.ts';
export { mergeChecks, type PreparedChild } from './bulk/inspect-subjects.ts';
export {
  type ActionEntries,
  defineAction,
  openSameService,
  type PreparedAction,
} from './define-action.ts';
export { operatorRefusal } from './guards.ts';
export { listUnreadableRequests } from './list/list-store.ts';
export type { WaitingRequest } from './list/list-waiting.ts';
export { placesOf } from './people/places.ts';
export { findShortfall, type Shortfall } from './rules/find-shortfall.ts';
export { countOf } from './rules/match-approvals.ts';
export { requirementsOf } from './rules/requirements.ts';
export { createApprovalStore } from './store/approval-store.ts';
export {
  createRepublishPending,
  createVoidSetupChanges,
  createVoidWaiting,
} from './store/change-approval.ts';
export { type DescribedRequest, describeRequests } from './store/describe-requests.ts';
export { createEraseRequests } from './store/erase-requests.ts';
export {
  type ChangingRequest,
  type CompletedRequest,
  findChangingRequests,
  listCompletedRequests,
} from './store/find-changing-requests.ts';
export { createNameConnections } from './store/name-connections.ts';
export { readRequestBacklog } from './store/read-request-backlog.ts';
export type { TransactionHooks } from './store/transaction-hooks.ts';
export type { Timings } from './timings.ts';
export { formatNeeded, formatShortfall } from './views/format-rule.ts';
export { fitsRequestBody, formatRequestBody } from './views/request-body-modal.ts';
export { notRequestedMessage, requestFields, requestInputs } from './views/request-fields.ts';
export { directMessageRefusal } from './views/requested-message.ts';
