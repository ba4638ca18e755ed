import { z } from 'zod';
import type { ActionInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import { openModal } from '../../slack/ui/modal.ts';
import type { Approvals } from './approvals.ts';
import { denyModal, denyReasonBlockId } from './views/deny-modal.ts';
import {
  approveActionId,
  cancelDeletionActionId,
  denyActionId,
  denyCallbackId,
  withdrawActionId,
} from './views/ids.ts';

const approvalValue = z.object({ approvalId: z.uuid() });
const denyMetadata = approvalValue.extend({ channelId: z.string().optional() });

export function registerApprovals(listeners: Listeners, approvals: Approvals): void {
  listeners.action(approveActionId, approvalValue, async ({ value, ...call }) => {
    const refusal = await approvals.decide({ ...value, ...deciding(call), to: 'approved' });
    return refusal && { reply: refusal };
  });

  listeners.action(denyActionId, approvalValue, async ({ value, ...call }) => {
    const found = await approvals.lookUp({ ...value, ...deciding(call) });
    if ('refusal' in found) return { reply: found.refusal };
    await openModal(call, denyModal(found.approval, found.action));
    return undefined;
  });

  listeners.action(withdrawActionId, approvalValue, async ({ value, ...call }) => {
    const refusal = await approvals.decide({ ...value, ...deciding(call), to: 'withdrawn' });
    return refusal && { reply: refusal };
  });

  listeners.action(cancelDeletionActionId, approvalValue, async ({ value, ...call }) => {
    const refusal = await approvals.keep({ ...value, ...deciding(call) });
    return refusal && { reply: refusal };
  });

  listeners.submission(denyCallbackId, {
    metadata: denyMetadata,
    typed: (values) => values.text(denyReasonBlockId),
    check: (values) =>
      values.text(denyReasonBlockId)
        ? undefined
        : { [denyReasonBlockId]: 'Please say why. The person who asked will see it.' },
    async run({ metadata: { approvalId }, values, teamId, person }) {
      const reason = values.text(denyReasonBlockId) ?? '';
      return approvals.decide({ teamId, approvalId, person, to: 'denied', reason });
    },
  });
}

type Click = Pick<ActionInteraction<unknown>, 'teamId' | 'person' | 'channelId' | 'messageTs'>;

/** Who decides, and on which message. */
function deciding({ teamId, person, channelId, messageTs }: Click) {
  const seenAt = channelId && messageTs ? { channelId, messageTs } : undefined;
  return { teamId, person, seenAt };
}
