import type { Clock } from '../../../clock.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { OpenService, Service } from '../../../workspace/open-service.ts';
import type { DraftStore } from '../store/draft-store.ts';
import { connectionReplacedModal, draftGoneModal } from '../views/draft-modals.ts';
import { editPolicyModal } from '../views/edit-policy-modal.ts';
import type { Draft, DraftContent, PageRef } from './draft.ts';

export type PageDependencies = { drafts: DraftStore; openService: OpenService; clock: Clock };

/** Who acts on a page. */
export type Editor = { teamId: string; person: { slackUserId: string } };

export type OpenPage = { draft: Draft; service: Service };

/** The draft of a page at the revision that the page showed, or what to show instead. */
export async function openPage(
  { teamId, person }: Editor,
  { draftId, revision, channelId }: PageRef,
  { drafts, openService, clock }: PageDependencies,
): Promise<OpenPage | { instead: ModalView }> {
  const { slackUserId } = person;
  const draft = await drafts.findById({ teamId, slackUserId, draftId }, clock());
  if (!draft) return { instead: draftGoneModal };
  const service = await openService(teamId, { connectionId: draft.connectionId });
  if (!service) return { instead: connectionReplacedModal };
  if (draft.revision !== revision) return { instead: outdatedPage(draft, channelId) };
  return { draft, service };
}

/** Saves a page, unless another one was saved since it was shown. */
export async function savePage(
  { draft }: OpenPage,
  content: DraftContent,
  channelId: string | undefined,
  { drafts, clock }: PageDependencies,
): Promise<{ draft: Draft } | { instead: ModalView }> {
  const { id: draftId, teamId, slackUserId, revision } = draft;
  const ref = { draftId, teamId, slackUserId };
  const saved = await drafts.save({ ...ref, revision }, content, clock());
  if (saved) return { draft: saved };
  const now = await drafts.findById(ref, clock());
  return { instead: now ? outdatedPage(now, channelId) : draftGoneModal };
}

function outdatedPage(draft: Draft, channelId: string | undefined): ModalView {
  const problem =
    "⚠ *Your last change wasn't saved*: the draft changed after this page was opened, for example in another window. This page shows the current draft.";
  return editPolicyModal(draft, { channelId, problems: [problem] });
}
