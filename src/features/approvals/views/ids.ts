import { z } from 'zod';

/** The value of every button of a request. */
export const approvalValue = z.object({ approvalId: z.uuid() });

export const approveActionId = 'approvals.approve';
export const denyActionId = 'approvals.deny';
export const withdrawActionId = 'approvals.withdraw';
export const cancelScheduledActionId = 'approvals.keep';
export const followActionId = 'approvals.follow';
export const requestBodyActionId = 'approvals.body';
export const denyCallbackId = 'approvals.deny';
