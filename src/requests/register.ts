import { isDirectChannel } from '../slack/api/channel.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  Interaction,
} from '../slack/interactions/interaction.ts';
import type { Listeners } from '../slack/interactions/listeners.ts';
import type { Subcommand } from '../slack/interactions/subcommand.ts';
import { type Message, notice } from '../slack/ui/blocks.ts';
import { code, mentionedUser } from '../slack/ui/mrkdwn.ts';
import { suggest } from '../slack/ui/suggest.ts';
import type { Approvals } from './approvals.ts';
import type { DecisionClick } from './decide-approval.ts';
import {
  approveForm,
  approveModal,
  denyForm,
  denyModal,
  reviewForm,
  reviewModal,
} from './views/decision-forms.ts';
import {
  approvalValue,
  type DecisionMetadata,
  followActionId,
  listDecisionIds,
  listedApproval,
  messageDecisionIds,
  requestBodyActionId,
  requestFilters,
  requestPager,
  reviewActionId,
  reviewInListActionId,
} from './views/ids.ts';
import { requestBodyModal } from './views/request-body-modal.ts';

/** The buttons and forms of requests, and `/belay requests`. */
export function registerApprovals(listeners: Listeners, approvals: Approvals): Subcommand[] {
  const decisions = [
    ['approve', 'approved'],
    ['withdraw', 'withdrawn'],
    ['cancel', 'canceled'],
    ['abort', 'aborted'],
  ] as const;
  for (const [name, to] of decisions) {
    const decide = async ({ value, ...call }: ActionInteraction<{ approvalId: string }>) => {
      const refusal = await approvals.decide({ ...value, ...clickOf(call), to });
      if (refusal) return { reply: refusal };
      // The message with the button says nothing about it. The Home tab is published again.
      return to === 'withdrawn' && call.channelId ? { reply: withdrawnMessage } : undefined;
    };
    const isContested = to === 'approved' || to === 'withdrawn';
    listeners.action(messageDecisionIds[name], approvalValue, decide, { isContested });
    listeners.action(listDecisionIds[name], listedApproval, async ({ value, ...call }) => ({
      replace: await approvals.decideInList({ ...call, ...value, to }),
    }));
  }

  const forms = [
    {
      buttons: [messageDecisionIds.approveWithComment, listDecisionIds.approveWithComment],
      open: (click: DecisionClick) => approvals.openDecision({ ...click, to: 'approved' }),
      modal: approveModal,
    },
    {
      buttons: [messageDecisionIds.deny, listDecisionIds.deny],
      open: (click: DecisionClick) => approvals.openDecision({ ...click, to: 'denied' }),
      modal: denyModal,
    },
    {
      buttons: [reviewActionId, reviewInListActionId],
      open: (click: DecisionClick) => approvals.openReview(click),
      modal: reviewModal,
    },
  ] as const;
  for (const { buttons, open, modal } of forms) {
    const [inMessage, inList] = buttons;
    listeners.action(inMessage, approvalValue, async ({ value, ...call }) => {
      const opened = await open({ ...value, ...clickOf(call) });
      if ('refusal' in opened) return { reply: opened.refusal };
      const { channelId } = call;
      // In an approver's direct messages only they read the answer anyway.
      const isDirect = channelId === undefined || isDirectChannel(channelId);
      const origin = isDirect ? {} : { channelId };
      return { open: modal(opened.approval, opened.action, origin) };
    });
    listeners.action(inList, listedApproval, async ({ value: { approvalId, page }, ...call }) => {
      const { teamId, person, channelId } = call;
      const opened = await open({ teamId, person, approvalId });
      if ('refusal' in opened) {
        const outcome = opened.refusal.text;
        return { replace: await approvals.showRequests({ ...call, page, outcome }) };
      }
      return { open: modal(opened.approval, opened.action, { channelId, page }) };
    });
  }

  listeners.action(followActionId, approvalValue, async ({ value, teamId, person }) => {
    return { reply: await approvals.follow({ ...value, teamId, person }) };
  });

  listeners.action(requestBodyActionId, approvalValue, async ({ value, teamId }) => {
    const body = await approvals.readBody({ teamId, id: value.approvalId });
    if (body === undefined) return { reply: notice('This request no longer exists.') };
    return { open: requestBodyModal(body) };
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
    const decision = { approvalId, to, reason: reason || undefined };
    return page
      ? approvals.decideInList({ ...call, ...decision, page })
      : approvals.decide({ teamId, person, ...decision });
  }

  listeners.form(reviewForm, {
    async run({ metadata: { approvalId, page }, entered: { comment }, ...call }) {
      const { teamId, person } = call;
      const outcome = await approvals.review({ teamId, person, approvalId, comment });
      return page ? approvals.showRequests({ ...call, page, outcome: outcome.text }) : outcome;
    },
  });

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

  return {
    name: 'requests',
    about: 'connections',
    usage: 'requests [mine | waiting | @person]',
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
  const by = mentionedUser(call.text.trim());
  if (by !== undefined) {
    return approvals.showRequests({ ...call, page: { start: 0, filter: 'all', by } });
  }
  const typed = call.text.trim().toLowerCase();
  const filter = typed === '' ? 'all' : requestFilters.find((known) => known === typed);
  if (filter) return approvals.showRequests({ ...call, page: { start: 0, filter } });
  const meant = suggest(typed, requestFilters, { matchesPrefixes: true });
  const hint = meant
    ? `Did you mean ${code(`/belay requests ${meant}`)}?`
    : 'Use `mine`, `waiting` or `all`.';
  return notice(`Unknown filter ${code(typed, 60)}. ${hint}`);
}

const withdrawnMessage = notice('You withdrew your request. Nothing was changed.');
