import type { Message } from '../../playground/slack/protocol.ts';
import type { Approval } from '../../src/requests/approval.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import { messageDecisionIds } from '../../src/requests/views/ids.ts';
import { decidersOf } from './check-log.ts';

/** What a message must say in each state, independent of the code that renders it. */
const textOfState: Record<ApprovalState, RegExp> = {
  pending: /^⏳ Pending: .*Waiting for/,
  approved: /(Belay|The service) is (making|canceling) the change/,
  running: /(Belay|The service) is (making|canceling) the change/,
  scheduled: /will be deleted/,
  completed:
    /^✅ Completed: .*(was disabled|is disabled|is enabled|is now named|is deleted|was restored)/,
  canceled: /^🛑 Canceled: /,
  failed: /^❌ Failed: Couldn't /,
  outcome_unknown: /doesn't know (yet )?whether|will try again/,
  denied: /^⛔ Denied: Nothing was changed\. Denied by/,
  expired: /^⌛ Expired: .*Nothing was changed/,
  withdrawn: /^↩ Withdrawn: Nothing was changed/,
  voided: /^🚫 Voided: /,
};

const deciding = new Set([
  messageDecisionIds.approve,
  messageDecisionIds.deny,
  messageDecisionIds.withdraw,
]);

/** Where a message differs from its request. */
export function checkMessage(approval: Approval, message: Message | undefined): string[] {
  if (!message) return ['is not there'];
  const { state } = approval;
  const ids = actionIds(message);
  return [
    ...(textOfState[state].test(message.text)
      ? []
      : [`does not say ${state}, but: ${message.text}`]),
    ...decidersOf(approval)
      .filter((id) => !message.text.includes(`<@${id}>`))
      .map((id) => `does not name ${id}, who decided`),
    ...(state !== 'pending' && ids.some((id) => deciding.has(id))
      ? [`has buttons to decide with, but is ${state}`]
      : []),
    ...(state !== 'scheduled' && ids.includes(messageDecisionIds.cancel)
      ? [`has a button to cancel the deletion, but is ${state}`]
      : []),
  ];
}

function actionIds({ blocks = [] }: Message): string[] {
  return blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) =>
          'action_id' in element ? (element.action_id ?? []) : [],
        )
      : [],
  );
}
