export const approveActionId = 'approvals.approve';
export const denyActionId = 'approvals.deny';
export const withdrawActionId = 'approvals.withdraw';
export const cancelDeletionActionId = 'approvals.keep';
export const denyCallbackId = 'approvals.deny';

/** Queues: what a request is due for, and its messages. */
export const advanceQueue = 'approvals.advance';
export const publishQueue = 'approvals.publish';
