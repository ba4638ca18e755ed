import { z } from 'zod';

/** The value of every button of a request. */
export const approvalValue = z.object({ approvalId: z.uuid() });

/** The value of the buttons that show a page of requests: the position of its first, from 0. */
export const requestPage = z.object({ start: z.int().min(0) });

export const approveActionId = 'approvals.approve';
export const denyActionId = 'approvals.deny';
export const withdrawActionId = 'approvals.withdraw';
export const cancelScheduledActionId = 'approvals.keep';
export const followActionId = 'approvals.follow';
export const requestBodyActionId = 'approvals.body';
export const previousRequestsActionId = 'approvals.list_previous';
export const nextRequestsActionId = 'approvals.list_next';
export const refreshRequestsActionId = 'approvals.list_refresh';
export const denyCallbackId = 'approvals.deny';
