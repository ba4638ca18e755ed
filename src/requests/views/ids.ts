import { z } from 'zod';
import { definePager } from '../../slack/ui/pager.ts';

/** The value of every button of a request. */
export const approvalValue = z.object({ approvalId: z.uuid() });

/** What a list of requests shows: all, those that the reader made, or those that wait for them. */
export const requestFilters = ['all', 'mine', 'waiting'] as const;

/** A page of requests: the position of its first, from 0. */
const requestPage = z.object({
  start: z.int().min(0),
  filter: z.enum(requestFilters),
  /** Only those of this requester: a Slack user id. */
  by: z.string().optional(),
});
export type RequestPage = z.infer<typeof requestPage>;
export const requestPager = definePager('approvals.list', 'open requests', requestPage);

/** The value of the buttons that decide a request in a list, which shows the page again. */
export const listedApproval = approvalValue.extend({ page: requestPage });

export const followActionId = 'approvals.follow';
export const requestBodyActionId = 'approvals.body';
export const reviewActionId = 'approvals.review';
export const reviewInListActionId = 'approvals.list_review';

/** Of a form that decides a request: where it answers, and the list in which it was opened, if any. */
export const decisionMetadata = approvalValue.extend({
  channelId: z.string().optional(),
  page: requestPage.optional(),
});
export type DecisionMetadata = z.infer<typeof decisionMetadata>;

/** The buttons of a request in its message. */
export const messageDecisionIds = {
  approve: 'approvals.approve',
  approveWithComment: 'approvals.comment',
  deny: 'approvals.deny',
  withdraw: 'approvals.withdraw',
  cancel: 'approvals.cancel',
  abort: 'approvals.abort',
};

/** The same in a list of requests. */
export const listDecisionIds = {
  approve: 'approvals.list_approve',
  approveWithComment: 'approvals.list_comment',
  deny: 'approvals.list_deny',
  withdraw: 'approvals.list_withdraw',
  cancel: 'approvals.list_cancel',
  abort: 'approvals.list_abort',
} satisfies Record<keyof typeof messageDecisionIds, string>;
