import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import type { Setup } from '../../workspace/workspace.ts';
import { findSlackNotices, type SlackNotices } from './find-slack-notices.ts';
import type { SetupContext } from './setup-context.ts';
import { changedMeanwhileModal, savedBeforeModal } from './views/saved-modal.ts';

type Wanted = Pick<
  Setup,
  'target' | 'connection' | 'tokenOwner' | 'settings' | 'viewId' | 'basedOn'
>;

/** Saves what needs no review. Resolves to what to say about it, or to the answer to a stale form. */
export async function saveNow(
  { teamId, enterpriseId, person, slack, log }: Interaction,
  wanted: Wanted,
  { store, clock }: Pick<SetupContext, 'store' | 'clock'>,
): Promise<{ done: ModalView } | (SlackNotices & { voidedCount: number })> {
  const savedBy = person.slackUserId;
  // Before anything is saved, so that a failure of Slack leaves no doubt about that.
  const notices = await findSlackNotices([savedBy, ...wanted.settings.approvers], slack);
  const saved = await store.saveSetup({ ...wanted, teamId, enterpriseId, savedBy, at: clock() });
  if (saved.result === 'saved-before') return { done: savedBeforeModal };
  if (saved.result === 'changed-meanwhile') return { done: changedMeanwhileModal };
  const voidedCount = saved.voided.length;
  log.info({ regionId: wanted.connection?.regionId, voided: voidedCount }, 'setup was saved');
  return { ...notices, voidedCount };
}
