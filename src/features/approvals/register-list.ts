import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal } from '../../slack/ui/modal.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import type { Approvals } from './approvals.ts';
import { approveModal } from './views/approve-modal.ts';
import { denyModal } from './views/deny-modal.ts';
import { listDecisionIds, listedApproval, requestFilters, requestPager } from './views/ids.ts';

/** `/belay requests`, and the buttons of its list. */
export function registerRequestList(listeners: Listeners, approvals: Approvals): Subcommand {
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
