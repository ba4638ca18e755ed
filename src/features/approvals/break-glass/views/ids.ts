export const reviewActionId = 'approvals.review';
export const reviewInListActionId = 'approvals.list_review';
export const reviewCallbackId = 'approvals.review';
