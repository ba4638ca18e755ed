export type {
  ApprovableAction,
  AskButton,
  Check,
  CheckContext,
  Detail,
  Step,
} from './approvable-action.ts';
export { type ApprovalInput, type Approvals, createApprovals, type Timings } from './approvals.ts';
export { type ActionEntry, defineAction } from './bind-action.ts';
export { type FollowUpJob, jobsFor } from './jobs.ts';
