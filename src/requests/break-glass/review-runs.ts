import { refusedAttempts } from '../../audit-log/registry.ts';
import type { Person } from '../../slack/api/person.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import type { RequestContext } from '../request-context.ts';
import { checkReview, type ReviewClick, type ReviewRefusal } from './check-review.ts';
import { reviewRefusalMessage } from './views/review-refusal.ts';

/** Reviews of runs without approval: each is recorded once, and every refusal is logged. */
export function createRunReviews(context: RequestContext) {
  const { store, bind, clock } = context;

  async function refuse(refusal: ReviewRefusal, teamId: string, person: Person): Promise<Message> {
    const about = refusal.result === 'request_not_found' ? undefined : refusal.approval;
    const { result: reason } = refusal;
    const attempt = refusedAttempts.review;
    await store.logRefusal({ teamId, by: person.slackUserId, attempt, reason, about, at: clock() });
    return reviewRefusalMessage(refusal);
  }

  return {
    /** The run and its action for the form of a review, or the reply to a person who was refused. */
    async openReview(
      click: ReviewClick,
    ): Promise<{ approval: Approval; action: Action } | { refusal: Message }> {
      const found = await checkReview(click, context);
      if (found.result !== 'open')
        return { refusal: await refuse(found, click.teamId, click.person) };
      return { approval: found.approval, action: bind(found.approval) };
    },

    /** Marks a run without approval as reviewed; resolves to the reply. */
    async review({
      comment,
      ...click
    }: ReviewClick & { comment?: string | undefined }): Promise<Message> {
      const { teamId, approvalId: id, person } = click;
      const found = await checkReview(click, context);
      if (found.result !== 'open') return refuse(found, teamId, person);
      const by = { by: person.slackUserId, mailboxHash: found.mailboxHash };
      const reviewed = await store.review({ teamId, id, ...by, comment, at: clock() });
      if (reviewed) return notice(`✅ You reviewed the run to ${bind(reviewed).summary}.`);
      // Since the check, somebody else reviewed it, or it runs again.
      const approval = await store.find({ teamId, id });
      if (!approval) return refuse({ result: 'request_not_found' }, teamId, person);
      const result = approval.breakGlass?.review ? 'already_reviewed' : 'not_ended';
      return refuse({ result, approval }, teamId, person);
    },
  };
}
