import { parseEach } from '../../database/parse-rows.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { shownRights } from '../../workspace/permissions.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { type DecisionClick, logRefusal } from '../decide-approval.ts';
import { canTakePart, placesOf } from '../people/places.ts';
import type { RequestContext } from '../request-context.ts';
import { decidersOf } from '../rules/requirements.ts';
import { checkReview, type ReviewRefusal } from './check-review.ts';
import type { UnreviewedRun } from './views/review-blocks.ts';
import { reviewRefusalMessage } from './views/review-refusal.ts';

/** Reviews of runs without approval: each is recorded once, and every refusal is logged. */
export function createRunReviews(context: RequestContext) {
  const { store, bind, clock } = context;

  async function refuse(refusal: ReviewRefusal, click: DecisionClick): Promise<Message> {
    await logRefusal(refusal, click, 'reviewed', context);
    return reviewRefusalMessage(refusal);
  }

  return {
    /** The run and its action for the form of a review, or the reply to a person who was refused. */
    async openReview(
      click: DecisionClick,
    ): Promise<{ approval: Approval; action: Action } | { refusal: Message }> {
      const found = await checkReview(click, context);
      if (found.result !== 'open') return { refusal: await refuse(found, click) };
      return { approval: found.approval, action: bind(found.approval) };
    },

    /** Marks a run without approval as reviewed; resolves to the reply. */
    async review({
      comment,
      ...click
    }: DecisionClick & { comment?: string | undefined }): Promise<Message> {
      const { teamId, approvalId: id, person } = click;
      const found = await checkReview(click, context);
      if (found.result !== 'open') return refuse(found, click);
      const by = { by: person.slackUserId, mailboxHash: found.mailboxHash };
      const reviewed = await store.review({ teamId, id, ...by, comment, at: clock() });
      if (reviewed) return notice(`✅ You reviewed the run to ${bind(reviewed).summary}.`);
      // Since the check, somebody else reviewed it, or it runs again.
      const approval = await store.find({ teamId, id });
      if (!approval) return refuse({ result: 'request_not_found' }, click);
      const result = approval.breakGlass?.review ? 'already_reviewed' : 'not_ended';
      return refuse({ result, approval }, click);
    },
  };
}

/**
 * The runs without approval that nobody has reviewed, the oldest first, and whether the person may.
 * Whether the person ran one under another account is checked only when they review it. One that can't be
 * read is left out.
 */
export async function listUnreviewed(
  { teamId, person, settings: readSettings }: Pick<Interaction, 'teamId' | 'person' | 'settings'>,
  { store, bind }: RequestContext,
): Promise<Omit<UnreviewedRun, 'link'>[]> {
  const [found, settings] = await Promise.all([store.listUnreviewed(teamId), readSettings()]);
  const bound = parseEach(found.parsed, (approval) => ({ approval, action: bind(approval) }));
  return bound.parsed.map(({ approval, action }) => {
    const isMine =
      approval.requester !== person.slackUserId &&
      placesOf(person, decidersOf(approval, action, settings), settings, shownRights).some(
        (place) => place === person || canTakePart(place, approval, action),
      ) &&
      ['no', 'erased'].includes(action.isSubject(person));
    return { approval, action, isMine };
  });
}
