import { isDirectChannel } from '../../../slack/api/channel.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { openModal } from '../../../slack/ui/modal.ts';
import type { Approvals } from '../approvals.ts';
import {
  approvalValue,
  listedApproval,
  reviewActionId,
  reviewInListActionId,
} from '../views/ids.ts';
import { reviewForm, reviewModal } from './views/review-modal.ts';

/** The buttons and the form that review runs without approval. */
export function registerReviews(listeners: Listeners, approvals: Approvals): void {
  listeners.action(reviewActionId, approvalValue, async ({ value, ...call }) => {
    const { teamId, person, channelId } = call;
    const opened = await approvals.openReview({ teamId, person, ...value });
    if ('refusal' in opened) return { reply: opened.refusal };
    const isDirect = channelId === undefined || isDirectChannel(channelId);
    const origin = isDirect ? {} : { channelId };
    await openModal(call, reviewModal(opened.approval, opened.action, origin));
    return undefined;
  });

  listeners.action(
    reviewInListActionId,
    listedApproval,
    async ({ value: { approvalId, page }, ...call }) => {
      const { teamId, person, channelId } = call;
      const opened = await approvals.openReview({ teamId, person, approvalId });
      if ('refusal' in opened) {
        const outcome = opened.refusal.text;
        return { replace: await approvals.showRequests({ ...call, page, outcome }) };
      }
      await openModal(call, reviewModal(opened.approval, opened.action, { channelId, page }));
      return undefined;
    },
  );

  listeners.form(reviewForm, {
    async run({ metadata: { approvalId, page }, entered: { comment }, ...call }) {
      const { teamId, person } = call;
      const outcome = await approvals.review({ teamId, person, approvalId, comment });
      return page ? approvals.showRequests({ ...call, page, outcome: outcome.text }) : outcome;
    },
  });
}
