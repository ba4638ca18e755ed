import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import type { Interaction } from '../../../slack/interactions/interaction.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { Service } from '../../../workspace/open-service.ts';
import type { PolicyContext } from '../policy-context.ts';
import { connectionReplacedModal, draftGoneModal } from '../views/draft-modals.ts';
import { editPolicyModal } from '../views/edit-policy-modal.ts';
import type { Draft, OpenDraft, PageRef } from './draft.ts';

/** An open page of a draft. */
export type DraftPage = {
  draft: OpenDraft;
  service: Service;
  /** Saves changes of the page, unless another one was saved since it was shown. */
  save: (
    changes: Partial<PolicyDefinition>,
  ) => Promise<{ draft: OpenDraft } | { instead: ModalView }>;
  discard: () => Promise<void>;
};

/** The draft of a page at the revision that the page showed, or what to show instead. */
export async function openPage(
  { teamId, person: { slackUserId } }: Pick<Interaction, 'teamId' | 'person'>,
  { draftId, revision, channelId }: PageRef,
  { drafts, openService, clock }: PolicyContext,
): Promise<DraftPage | { instead: ModalView }> {
  const ref = { teamId, slackUserId, draftId };
  const draft = await drafts.findById(ref, clock());
  if (!draft) return { instead: draftGoneModal };
  const service = await openService(teamId, { connectionId: draft.connectionId });
  if (!service) return { instead: connectionReplacedModal };
  const showCurrent = (now: Draft) => ({
    instead: editPolicyModal({ ...now, channelId }, [outdatedProblem]),
  });
  if (draft.revision !== revision) return showCurrent(draft);
  const { before, after } = draft;
  return {
    draft: { ...draft, channelId },
    service,
    async save(changes) {
      const content = { before, after: { ...after, ...changes } };
      const saved = await drafts.save({ ...ref, revision }, content, clock());
      if (saved) return { draft: { ...saved, channelId } };
      const now = await drafts.findById(ref, clock());
      return now ? showCurrent(now) : { instead: draftGoneModal };
    },
    discard: () => drafts.discard(ref),
  };
}

const outdatedProblem =
  "⚠ *Your last change wasn't saved*: the draft changed after this page was opened, for example in another window. This page shows the current draft.";
