export const approveActionId = 'approvals.approve';
export const denyActionId = 'approvals.deny';
export const withdrawActionId = 'approvals.withdraw';
export const cancelScheduledActionId = 'approvals.keep';
export const denyCallbackId = 'approvals.deny';
