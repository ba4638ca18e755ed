import { isDirectChannel } from '../../slack/api/channel.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  Interaction,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal } from '../../slack/ui/modal.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import type { Approvals } from './approvals.ts';
import { registerReviews } from './break-glass/register-reviews.ts';
import { approveForm, approveModal, denyForm, denyModal } from './views/decision-forms.ts';
import {
  approvalValue,
  approveActionId,
  approveWithCommentActionId,
  cancelScheduledActionId,
  type DecisionMetadata,
  denyActionId,
  followActionId,
  listDecisionIds,
  listedApproval,
  requestBodyActionId,
  requestFilters,
  requestPager,
  withdrawActionId,
} from './views/ids.ts';
import { requestBodyModal } from './views/request-body-modal.ts';

/** The buttons and forms of requests, and `/belay requests`. */
export function registerApprovals(listeners: Listeners, approvals: Approvals): Subcommand[] {
  const decisions = [
    [approveActionId, 'approved'],
    [withdrawActionId, 'withdrawn'],
  ] as const;
  for (const [actionId, to] of decisions) {
    const decide = async ({ value, ...call }: ActionInteraction<{ approvalId: string }>) => {
      const refusal = await approvals.decide({ ...value, ...clickOf(call), to });
      return refusal && { reply: refusal };
    };
    listeners.action(actionId, approvalValue, decide, { isContested: true });
  }

  const forms = [
    [approveWithCommentActionId, 'approved', approveModal],
    [denyActionId, 'denied', denyModal],
  ] as const;
  for (const [actionId, to, modal] of forms) {
    listeners.action(actionId, approvalValue, async ({ value, ...call }) => {
      const opened = await approvals.openDecision({ ...value, ...clickOf(call), to });
      if ('refusal' in opened) return { reply: opened.refusal };
      const { channelId } = call;
      // In an approver's direct messages only they read the answer anyway.
      const isDirect = channelId === undefined || isDirectChannel(channelId);
      const origin = isDirect ? {} : { channelId };
      await openModal(call, modal(opened.approval, opened.action, origin));
      return undefined;
    });
  }

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

  listeners.form(denyForm, {
    run: (call) => decideByForm(call, 'denied', call.entered.reason),
  });
  listeners.form(approveForm, {
    run: (call) => decideByForm(call, 'approved', call.entered.comment),
  });

  /** Answers a form that a list has opened with the list; others only with a refusal. */
  function decideByForm(
    { metadata: { approvalId, page }, ...call }: Interaction & { metadata: DecisionMetadata },
    to: 'approved' | 'denied',
    reason: string,
  ): Promise<Message | undefined> {
    const { teamId, person } = call;
    const decision = { approvalId, to, ...(reason && { reason }) };
    return page
      ? approvals.decideInList({ ...call, ...decision, page })
      : approvals.decide({ teamId, person, ...decision });
  }

  registerReviews(listeners, approvals);
  return [registerRequestList(listeners, approvals)];
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

/** `/belay requests`, and the buttons of its list. */
function registerRequestList(listeners: Listeners, approvals: Approvals): Subcommand {
  listeners.pages(requestPager, ({ value: page, ...call }) =>
    approvals.showRequests({ ...call, page }),
  );

  const decisions = [
    [listDecisionIds.approve, 'approved'],
    [listDecisionIds.withdraw, 'withdrawn'],
    [listDecisionIds.cancel, 'canceled'],
  ] as const;
  for (const [actionId, to] of decisions) {
    listeners.action(actionId, listedApproval, async ({ value, ...call }) => ({
      replace: await approvals.decideInList({ ...call, ...value, to }),
    }));
  }

  const forms = [
    [listDecisionIds.approveWithComment, 'approved', approveModal],
    [listDecisionIds.deny, 'denied', denyModal],
  ] as const;
  for (const [actionId, to, modal] of forms) {
    listeners.action(actionId, listedApproval, async ({ value: { approvalId, page }, ...call }) => {
      const { teamId, person, channelId } = call;
      const opened = await approvals.openDecision({ teamId, person, approvalId, to });
      if ('refusal' in opened) {
        const outcome = opened.refusal.text;
        return { replace: await approvals.showRequests({ ...call, page, outcome }) };
      }
      await openModal(call, modal(opened.approval, opened.action, { channelId, page }));
      return undefined;
    });
  }

  return {
    name: 'requests',
    about: 'connections',
    usage: 'requests [mine | waiting]',
    summary: 'Show open requests and approve or deny them',
    details: [
      '`/belay requests waiting` shows requests waiting for your decision.',
      '`/belay requests mine` shows your own requests.',
      'Each group is sorted by the next deadline.',
      'Break-glass runs that need review come first.',
    ],
    run: (call) => showTyped(call, approvals),
  };
}

async function showTyped(call: CommandInteraction, approvals: Approvals): Promise<Message> {
  const typed = call.text.trim().toLowerCase();
  const filter = typed === '' ? 'all' : requestFilters.find((known) => known === typed);
  if (filter) return approvals.showRequests({ ...call, page: { start: 0, filter } });
  const meant = suggest(typed, requestFilters, { matchesPrefixes: true });
  const hint = meant
    ? `Did you mean ${code(`/belay requests ${meant}`)}?`
    : 'Use `mine`, `waiting` or `all`.';
  return notice(`Unknown filter ${code(typed, 60)}. ${hint}`);
}
