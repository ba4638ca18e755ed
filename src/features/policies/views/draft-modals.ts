import type { PolicyDefinition } from '../../../dataprotection/resources/policies.ts';
import { actions, button, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { bold, code, moment } from '../../../slack/ui/mrkdwn.ts';
import { comparePolicies } from '../difference/compare-policies.ts';
import { maxSlaSets, type OpenDraft, refOf } from '../editor/draft.ts';
import { differenceBlocks } from './format-difference.ts';
import { continueActionId, startOverActionId } from './ids.ts';

export const editTitle = 'Edit policy';
export const createTitle = 'Create policy';

export const draftGoneModal = noticeModal(
  editTitle,
  'This draft no longer exists: it expired, was replaced by a new one, or was sent as a request. Nothing was changed. Open the policy again to edit it.',
);

export const connectionReplacedModal = noticeModal(
  editTitle,
  'This draft belongs to a connection that this workspace no longer uses. Nothing was changed. Open the policy again to edit it.',
);

/** Asks whether to continue a draft. */
export function draftChoiceModal(draft: OpenDraft): ModalView {
  const { before, savedAt } = draft;
  const what = before ? bold(before.name, 150) : 'a new policy';
  const next = before ? 'start over with the policy as it is now' : 'start over';
  return noticeModal(before ? editTitle : createTitle, [
    section(`You have a draft of ${what}, saved ${moment(savedAt)}. Continue it, or ${next}.`),
    actions([
      draftButton(draft, 'Continue draft', continueActionId),
      draftButton(draft, 'Start over', startOverActionId),
    ]),
  ]);
}

/** The policy can't be edited with the draft anymore. */
export function policyGoneModal(draft: OpenDraft): ModalView {
  return noticeModal(editTitle, [
    section(
      `${bold(draft.before?.name ?? '', 150)} no longer exists: it was deleted after you started editing. Nothing was changed, and no request was sent.`,
    ),
    actions([draftButton(draft, 'Start over', startOverActionId)]),
  ]);
}

/** `current` is the policy as it is now, another than when the draft began. */
export function policyChangedModal(draft: OpenDraft, current: PolicyDefinition): ModalView {
  const { before = current } = draft;
  return noticeModal(editTitle, [
    section(
      `⚠ ${bold(before.name, 150)} was changed after you started editing. No request was sent. Start over to edit the policy as it is now.`,
    ),
    ...differenceBlocks(comparePolicies(before, current)),
    actions([draftButton(draft, 'Start over', startOverActionId)]),
  ]);
}

/** Where the service shows neither single policies nor a list of them. */
export const cannotReadPolicies =
  "This service doesn't let Belay read policies, so Belay can't check what a change would overwrite. You can create policies, but not change them in Slack.";

type Uneditable =
  | 'gone'
  | 'not-offered'
  | 'too-many-sets'
  | 'sets-not-understood'
  | 'not-storable'
  | 'long-id';

/** Why a policy can't be edited here. */
export function uneditableModal(policyId: string, why: Uneditable): ModalView {
  const reasons: Record<Uneditable, string> = {
    gone: `The policy with the ID ${code(policyId)} no longer exists.`,
    'not-offered': cannotReadPolicies,
    'too-many-sets': `This policy has more than ${maxSlaSets} schedules, which don't fit into a form in Slack.`,
    'sets-not-understood': "Belay can't read the schedules of this policy.",
    'not-storable': "This policy contains characters or numbers that Belay can't store unchanged.",
    'long-id': 'The ID of this policy is too long for a form in Slack.',
  };
  const next: Partial<Record<Uneditable, string>> = {
    gone: ' To see the current policies, run `/belay policies`.',
    'not-offered': '',
  };
  const remedy = next[why] ?? " Change this policy in the service's portal.";
  return noticeModal(editTitle, `${reasons[why]} Nothing was changed.${remedy}`);
}

function draftButton(draft: OpenDraft, text: string, actionId: string) {
  return button({
    text,
    actionId,
    value: encodeValue(refOf(draft)),
    ...(actionId === continueActionId ? { style: 'primary' as const } : {}),
    accessibilityLabel: `${text}: ${draft.before?.name ?? 'new policy'}`,
  });
}
