export type {
  ApprovableAction,
  AskButton,
  Check,
  CheckContext,
  Detail,
  Step,
} from './approvable-action.ts';
export { type Approvals, type ApprovalWish, createApprovals, type Pace } from './approvals.ts';
export { type ActionEntry, defineAction } from './bind-action.ts';
export { type FollowUp, followUps } from './jobs.ts';
