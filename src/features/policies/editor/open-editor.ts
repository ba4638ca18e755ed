import { randomUUID } from 'node:crypto';
import { storable } from '../../../database/canonical-text.ts';
import type { ServiceClient } from '../../../dataprotection/client.ts';
import { writablePolicy } from '../../../dataprotection/resources/policies.ts';
import type { ActionInteraction } from '../../../slack/interactions/interaction.ts';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { fillModal, type ModalView } from '../../../slack/ui/modal.ts';
import { readCurrentPolicy } from '../changes/read-policy.ts';
import type { PolicyContext } from '../policy-context.ts';
import type { DraftKey } from '../store/draft-store.ts';
import { isStorable } from '../stored-policy.ts';
import {
  createTitle,
  draftChoiceModal,
  draftGoneModal,
  editTitle,
  uneditableModal,
} from '../views/draft-modals.ts';
import { editPolicyModal } from '../views/edit-policy-modal.ts';
import { type DraftContent, maxSlaSets, type OpenDraft } from './draft.ts';
import type { DraftPage } from './open-page.ts';

type EditorCall = Pick<
  ActionInteraction<unknown>,
  'teamId' | 'person' | 'slack' | 'channelId' | 'connection' | 'service'
> & { triggerId: string | undefined; viewId?: string | undefined };

/** Opens the editor for a policy, or for a new one without `policyId`. A draft can be continued. */
export async function openEditor(
  call: EditorCall,
  policyId: string | undefined,
  context: PolicyContext,
): Promise<void> {
  const { viewId, channelId, person } = call;
  const title = policyId === undefined ? createTitle : editTitle;
  const service = await call.service();
  await fillModal({ ...call, viewId }, { title, waiting: 'Loading…' }, async () => {
    if (policyId !== undefined && !fits(policyId)) return uneditableModal(policyId, 'long-id');
    const { teamId } = call;
    const { slackUserId } = person;
    const key = { teamId, slackUserId, connectionId: service.connectionId, policyId };
    const draft = await context.drafts.find(key, context.clock());
    if (draft) return draftChoiceModal({ ...draft, channelId });
    const content = await newContent(service.client, policyId);
    return 'instead' in content ? content.instead : begin({ ...key, channelId }, content, context);
  });
}

/** Replaces the draft of a page with a new one, of the policy as it is now. */
export async function startOver(
  { draft, service, discard }: DraftPage,
  context: PolicyContext,
): Promise<ModalView> {
  const content = await newContent(service.client, draft.policyId);
  await discard();
  return 'instead' in content ? content.instead : begin(draft, content, context);
}

/** The content of a new draft, or why there can't be one. @throws ServiceError */
export async function newContent(
  client: ServiceClient,
  policyId: string | undefined,
): Promise<DraftContent | { instead: ModalView }> {
  if (policyId === undefined) return { after: { name: '', slaSets: [] } };
  const current = await readCurrentPolicy(client, policyId);
  if (current.result !== 'found') return { instead: uneditableModal(policyId, current.result) };
  const { id } = current.policy;
  const { name, slaSets, otherFields = {} } = writablePolicy(client, current.policy);
  const after = { name, slaSets, otherFields };
  if (after.slaSets.length > maxSlaSets) {
    return { instead: uneditableModal(policyId, 'too-many-sets') };
  }
  // What can't be parsed is in the other fields.
  const isUnderstood = !['sla_sets', 'operations'].some((name) => name in after.otherFields);
  if (!isUnderstood) return { instead: uneditableModal(policyId, 'sets-not-understood') };
  if (!isStorable(after)) return { instead: uneditableModal(policyId, 'not-storable') };
  return { before: { id, ...after }, after };
}

async function begin(
  { channelId, ...key }: DraftKey & Pick<OpenDraft, 'channelId'>,
  content: DraftContent,
  { drafts, clock }: PolicyContext,
): Promise<ModalView> {
  const begun = await drafts.begin(key, { id: randomUUID(), content, at: clock() });
  if (begun) return editPolicyModal({ ...begun, channelId });
  // Another click has created one meanwhile.
  const draft = await drafts.find(key, clock());
  return draft ? draftChoiceModal({ ...draft, channelId }) : draftGoneModal;
}

/** Whether a button and the database can hold the id. */
function fits(policyId: string): boolean {
  return policyId.length <= maxIdLength && storable(policyId) === policyId;
}
