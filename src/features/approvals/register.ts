import { z } from 'zod';
import type { Listeners } from '../../slack/listeners.ts';
import { openModal } from '../../slack/modal.ts';
import type { Approvals } from './approvals.ts';
import { denyModal, denyReasonBlockId } from './deny-modal.ts';
import { approveActionId, denyActionId, denyCallbackId, withdrawActionId } from './ids.ts';

const approvalValue = z.object({ approvalId: z.uuid() });
const denyMetadata = approvalValue.extend({ channelId: z.string().optional() });

export function registerApprovals(listeners: Listeners, approvals: Approvals): void {
  listeners.action(approveActionId, approvalValue, async ({ value, teamId, person }) => {
    const refusal = await approvals.decide({ ...value, teamId, person, to: 'approved' });
    return refusal && { reply: refusal };
  });

  listeners.action(denyActionId, approvalValue, async ({ value, teamId, person, ...call }) => {
    const found = await approvals.lookUp({ ...value, teamId, person, to: 'denied' });
    if ('refusal' in found) return { reply: found.refusal };
    await openModal(call, denyModal(found.approval, found.action));
    return undefined;
  });

  listeners.action(withdrawActionId, approvalValue, async ({ value, teamId, person }) => {
    const refusal = await approvals.decide({ ...value, teamId, person, to: 'withdrawn' });
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
