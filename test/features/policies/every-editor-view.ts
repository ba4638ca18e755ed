import { knownPolicyValues } from '../../../src/dataprotection/resources/policy-values.ts';
import { comparePolicies } from '../../../src/features/policies/difference/compare-policies.ts';
import type { OpenDraft } from '../../../src/features/policies/editor/draft.ts';
import { newSlaSet } from '../../../src/features/policies/editor/set-page.ts';
import {
  draftChoiceModal,
  policyChangedModal,
  policyGoneModal,
  uneditableModal,
} from '../../../src/features/policies/views/draft-modals.ts';
import { editPolicyModal } from '../../../src/features/policies/views/edit-policy-modal.ts';
import { reviewPolicyModal } from '../../../src/features/policies/views/request-modals.ts';
import { slaSetModal } from '../../../src/features/policies/views/sla-set-modal.ts';
import { refusalWarning } from '../../../src/requests/views/requested-message.ts';
import { withErrors } from '../../../src/slack/ui/form.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { channelId, people, sampleNow } from '../sample-place.ts';
import type { Samples } from '../samples.ts';

const draftId = '00000000-0000-4000-8000-000000000000';

/** The pages on which people edit policies. */
export function everyEditorView({ policies, copies, problem }: Samples): Record<string, unknown[]> {
  const [{ definition } = { definition: undefined }] = policies;
  const whole = definition ?? { id: 'p-1', name: 'Gold', slaSets: [], otherFields: {} };
  const before = { ...whole, slaSets: whole.slaSets.slice(0, 2) };
  const [slaSet = { slas: [] }] = before.slaSets;
  const slas = Array.from({ length: Math.min(copies, 7) }, () => slaSet.slas[0] ?? {});
  const after = {
    ...before,
    name: `${before.name} 2`,
    slaSets: [slaSet],
  };
  const slaSets = Array.from({ length: copies }, () => slaSet);
  const edited: OpenDraft = {
    id: draftId,
    teamId: 'T1',
    connectionId: draftId,
    slackUserId: people.ana,
    policyId: before.id,
    revision: 3,
    savedAt: sampleNow,
    before,
    after,
    channelId,
  };
  const created: OpenDraft = {
    ...edited,
    policyId: undefined,
    before: undefined,
    after: { name: '', slaSets: [] },
  };
  const ref = { draftId, revision: 3, index: 0, channelId };
  const pages = (['documented', 'live'] as const).flatMap((dialect) => {
    const known = knownPolicyValues({ dialect });
    const page = { ref, base: { ...slaSet, slas }, isNew: false, count: copies, known };
    return [page, { ...page, ref: { ...ref, isTyped: true } }].map((one) => slaSetModal(one));
  });
  const known = knownPolicyValues({ dialect: 'live' });
  const preset = 'hourly' as const;
  const newPage = {
    ref: { ...ref, preset },
    base: newSlaSet(preset, known),
    isNew: true,
    count: 1,
    known,
  };
  const reasons = [
    'gone',
    'not-offered',
    'too-many-sets',
    'sets-not-understood',
    'not-storable',
    'long-id',
  ] as const;
  return {
    editPolicyModal: [
      editPolicyModal({ ...edited, after: { ...after, slaSets } }),
      editPolicyModal(created, [`Problem: ${safe(problem, 500)}`]),
    ],
    slaSetModal: [...pages, withErrors(slaSetModal(newPage), { operation: problem })],
    reviewPolicyModal: [
      reviewPolicyModal(edited, {
        changes: comparePolicies(before, after),
        approvals: 2,
        warning: refusalWarning({ result: 'no_approver', reasons: [safe(problem, 500)] }),
      }),
      reviewPolicyModal(
        { ...created, after },
        {
          changes: comparePolicies(undefined, after),
          approvals: 1,
        },
      ),
    ],
    draftChoiceModal: [edited, created].map(draftChoiceModal),
    policyChangedModal: [policyChangedModal(edited, after)],
    policyGoneModal: [policyGoneModal(edited)],
    uneditableModal: reasons.map((why) => uneditableModal(before.id, why)),
  };
}
