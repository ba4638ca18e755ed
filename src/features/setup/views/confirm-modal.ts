import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { WaitingRequest } from '../../../requests/list/list-waiting.ts';
import { requestFields } from '../../../requests/views/request-fields.ts';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { plural } from '../../../slack/ui/words.ts';
import { definedSettings } from '../../../workspace/settings/settings.ts';
import type { SetupChange } from '../../../workspace/setup-change.ts';
import type { Plan } from '../plan-change.ts';
import { changeLines, listRequests, removalEffects } from './format-setup-change.ts';

const confirmMetadata = z.object({
  channelId: z.string().optional(),
  changeId: z.uuid(),
  kind: z.enum(['request', 'save']),
  /** `hashRequests` of those that the form listed. */
  voids: z.string(),
});

/** The same for the same requests, in any order. */
export function hashRequests(requests: WaitingRequest[]): string {
  const ids = requests.map(({ id }) => id).sort();
  return createHash('sha256').update(ids.join()).digest('base64url');
}

/** Only a request has it, so `confirmChange` checks it. */
export const reasonField = requestFields.reason('reason');
export const confirmForm = defineForm('setup.confirm', {
  metadata: confirmMetadata,
  fields: { reason: () => ({ ...reasonField, check: () => undefined }) },
});

type Confirmation = {
  change: SetupChange;
  plan: Plan;
  /** As it was typed. */
  reason?: string;
  metadata: { changeId: string; channelId?: string | undefined };
};

/** What a form would change, before anything of it is saved or requested. */
export function confirmModal({ change, plan, reason, metadata }: Confirmation): ModalView {
  const { kind, voids } = plan;
  return confirmForm.modal({
    title: 'Review changes',
    submit: kind === 'request' ? 'Request approval' : 'Save changes',
    metadata: { ...metadata, kind, voids: hashRequests(voids) },
    blocks: [
      section(formatPlan(plan, change)),
      ...changeLines(change).map((line) => section(line)),
      ...(change.target?.kind === 'remove' ? [section(removalEffects)] : []),
      ...voidedBlocks(plan),
      ...(kind === 'request' ? [reasonField.block(reason)] : []),
    ],
  });
}

function formatPlan(plan: Plan, { before }: SetupChange): string {
  if (plan.kind === 'save') {
    if (plan.isAlone)
      return '*Nobody else can approve these changes*, because no other approver or admin is active. If you save, the changes apply without approval and are announced to approvers and admins.';
    const announced = plan.isAnnounced
      ? ' Saving announces the changes to approvers and admins.'
      : '';
    return `Review these changes before you save them.${announced}`;
  }
  const { decidedBy, isAssumed } = plan.secondPerson;
  const who = decidedBy === 'admins' ? 'another admin' : 'an approver other than you';
  const named =
    decidedBy === 'admins' ? '' : ` Approvers: ${definedSettings.approvers.format(before)}.`;
  const lines = [
    `*A second person must approve these changes.* Nothing is saved until ${who} approves.${named}`,
  ];
  if (isAssumed) {
    lines.push(
      `Slack didn't report whether ${decidedBy === 'admins' ? 'another admin' : 'another approver'} is active, so Belay assumes that one is.`,
    );
  }
  if (plan.isSubject) lines.push('This change voids a request that is, or may be, about you.');
  return lines.join('\n');
}

function voidedBlocks({ kind, voids }: Plan): KnownBlock[] {
  if (voids.length === 0) return [];
  const what = plural(voids.length, 'pending or scheduled request');
  const when = kind === 'request' ? 'If approved, this change voids' : 'Saving voids';
  return [section(`*${when} ${what}:*\n${listRequests(voids)}`)];
}
