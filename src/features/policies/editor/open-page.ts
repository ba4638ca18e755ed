import type { ModalView } from '../../../slack/ui/modal.ts';
import type { Service } from '../../../workspace/open-service.ts';
import type { PolicyContext } from '../policy-context.ts';
import { connectionReplacedModal, draftGoneModal } from '../views/draft-modals.ts';
import { editPolicyModal } from '../views/edit-policy-modal.ts';
import type { Draft, DraftContent, PageRef } from './draft.ts';

/** An open page of a draft. */
export type DraftPage = {
  draft: Draft;
  service: Service;
  /** Saves the page, unless another one was saved since it was shown. */
  save: (content: DraftContent) => Promise<{ draft: Draft } | { instead: ModalView }>;
  discard: () => Promise<void>;
};

/** The draft of a page at the revision that the page showed, or what to show instead. */
export async function openPage(
  { teamId, person: { slackUserId } }: { teamId: string; person: { slackUserId: string } },
  { draftId, revision, channelId }: PageRef,
  { drafts, openService, clock }: Pick<PolicyContext, 'drafts' | 'openService' | 'clock'>,
): Promise<DraftPage | { instead: ModalView }> {
  const ref = { teamId, slackUserId, draftId };
  const draft = await drafts.findById(ref, clock());
  if (!draft) return { instead: draftGoneModal };
  const service = await openService(teamId, { connectionId: draft.connectionId });
  if (!service) return { instead: connectionReplacedModal };
  const showCurrent = (now: Draft) => ({
    instead: editPolicyModal(now, { channelId, problems: [outdatedProblem] }),
  });
  if (draft.revision !== revision) return showCurrent(draft);
  return {
    draft,
    service,
    async save(content) {
      const saved = await drafts.save({ ...ref, revision }, content, clock());
      if (saved) return { draft: saved };
      const now = await drafts.findById(ref, clock());
      return now ? showCurrent(now) : { instead: draftGoneModal };
    },
    discard: () => drafts.discard(ref),
  };
}

const outdatedProblem =
  "⚠ *Your last change wasn't saved*: the draft changed after this page was opened, for example in another window. This page shows the current draft.";
