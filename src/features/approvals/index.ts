export type {
  ActionLimit,
  ActionTarget,
  ApprovableAction,
  Check,
  CheckContext,
  Detail,
  FollowLimits,
  Progress,
  RequestButton,
  RunResult,
  Step,
  StepDone,
  UndoButton,
} from './approvable-action.ts';
export { type Approval, referenceOf } from './approval.ts';
export { type Approvals, createApprovals, type WaitingRequest } from './approvals.ts';
export {
  type ActionEntries,
  defineAction,
  openSameService,
  type PreparedAction,
} from './bind-action.ts';
export { mergeChecks, type PreparedChild } from './bulk/inspect-subjects.ts';
export { operatorRefusal } from './guards.ts';
export { jobsFor } from './jobs.ts';
export { createRepublishPending, createVoidSetupChanges } from './store/change-approval.ts';
export { createEraseRequests } from './store/erase-requests.ts';
export {
  type ChangingRequest,
  type CompletedRequest,
  findChangingRequests,
  listCompletedRequests,
} from './store/find-changing-requests.ts';
export { readRequestBacklog } from './store/read-request-backlog.ts';
export type { Timings } from './timings.ts';
export { fitsRequestBody, formatRequestBody } from './views/request-body-modal.ts';
export { directMessageRefusal } from './views/requested-message.ts';
