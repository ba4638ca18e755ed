import { z } from 'zod';
import type { ActionInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { openModal } from '../../slack/ui/modal.ts';
import type { Approvals } from './approvals.ts';
import { denyModal, denyReasonBlockId } from './views/deny-modal.ts';
import {
  approvalValue,
  approveActionId,
  cancelScheduledActionId,
  denyActionId,
  denyCallbackId,
  followActionId,
  nextRequestsActionId,
  previousRequestsActionId,
  refreshRequestsActionId,
  requestBodyActionId,
  requestPage,
  withdrawActionId,
} from './views/ids.ts';
import { requestBodyModal } from './views/request-body-modal.ts';

const denyMetadata = approvalValue.extend({ channelId: z.string().optional() });

/** The buttons of requests, and `/belay requests`. */
export function registerApprovals(listeners: Listeners, approvals: Approvals): Subcommand[] {
  listeners.action(approveActionId, approvalValue, async ({ value, ...call }) => {
    const refusal = await approvals.decide({ ...value, ...clickOf(call), to: 'approved' });
    return refusal && { reply: refusal };
  });

  listeners.action(denyActionId, approvalValue, async ({ value, ...call }) => {
    const opened = await approvals.openDenial({ ...value, ...clickOf(call) });
    if ('refusal' in opened) return { reply: opened.refusal };
    await openModal(call, denyModal(opened.approval, opened.action));
    return undefined;
  });

  listeners.action(withdrawActionId, approvalValue, async ({ value, ...call }) => {
    const refusal = await approvals.decide({ ...value, ...clickOf(call), to: 'withdrawn' });
    return refusal && { reply: refusal };
  });

  listeners.action(cancelScheduledActionId, approvalValue, async ({ value, ...call }) => {
    const refusal = await approvals.cancel({ ...value, ...clickOf(call) });
    return refusal && { reply: refusal };
  });

  listeners.action(followActionId, approvalValue, async ({ value, teamId, person }) => {
    return { reply: await approvals.follow({ ...value, teamId, person }) };
  });

  listeners.action(requestBodyActionId, approvalValue, async ({ value, teamId, ...call }) => {
    const body = await approvals.readBody({ teamId, id: value.approvalId });
    if (body === undefined) return { reply: notice('This request no longer exists.') };
    await openModal(call, requestBodyModal(body));
    return undefined;
  });

  listeners.submission(denyCallbackId, {
    metadata: denyMetadata,
    typed: (values) => values.text(denyReasonBlockId),
    check: (values) =>
      values.text(denyReasonBlockId)
        ? undefined
        : { [denyReasonBlockId]: 'Enter a reason. The requester will see it.' },
    async run({ metadata: { approvalId }, values, teamId, person }) {
      const reason = values.text(denyReasonBlockId) ?? '';
      return approvals.decide({ teamId, approvalId, person, to: 'denied', reason });
    },
  });

  for (const actionId of [
    previousRequestsActionId,
    nextRequestsActionId,
    refreshRequestsActionId,
  ]) {
    listeners.action(actionId, requestPage, async ({ value, ...call }) => ({
      replace: await approvals.showRequests({ ...call, ...value }),
    }));
  }

  return [
    {
      name: 'requests',
      about: 'connections',
      usage: 'requests',
      summary: 'Show open requests, starting with those that you can decide',
      run: (call) => approvals.showRequests({ ...call, start: 0 }),
    },
  ];
}

/** Who clicked, and on which message. */
function clickOf({
  teamId,
  person,
  channelId,
  messageTs,
}: Pick<ActionInteraction<unknown>, 'teamId' | 'person' | 'channelId' | 'messageTs'>) {
  const clickedOn = channelId && messageTs ? { channelId, messageTs } : undefined;
  return { teamId, person, clickedOn };
}
