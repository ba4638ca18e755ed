import {
  actions,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { cutMrkdwn, mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import type { Detail } from '../approvable-action.ts';
import type { Approval, StoredCheck } from '../approval.ts';
import type { BoundAction } from '../bound-action.ts';
import { decidedButtons, decisionButtons } from './approval-buttons.ts';
import { formatState } from './format-state.ts';

/** The request in its channel. `approvers` are Slack user ids, mentioned while it is pending. */
export function approvalMessage(
  approval: Approval,
  action: BoundAction,
  approvers: string[],
): Message {
  const title = `${mention(approval.requester)} asks to ${action.summary}.`;
  const isPending = approval.state === 'pending';
  const state = isPending ? 'Waiting for approval.' : formatState(approval, action);
  const facts = [
    section(title),
    ...action.changes.map((line) => section(line)),
    section(`*Reason*\n${safe(approval.reason, 1000)}`),
    context(formatDetails(approval, action)),
  ];
  const rest = isPending
    ? pendingBlocks(approval, action, approvers)
    : decidedBlocks(approval, action, state);
  return message(`${title} ${state}`, [...facts, ...rest]);
}

/** The requester's copy, in a direct message, with the state of the request. */
export function requesterMessage(approval: Approval, action: BoundAction): Message {
  const text = `Your request to ${action.summary}: ${formatState(approval, action)}`;
  const buttons = decidedButtons(approval, action);
  return message(text, [section(text), ...(buttons.length > 0 ? [actions(buttons)] : [])]);
}

function pendingBlocks(approval: Approval, action: BoundAction, approvers: string[]): KnownBlock[] {
  return [
    ...(approval.checks.length > 0 ? [context(formatChecks(approval.checks))] : []),
    ...(action.warning ? [section(`:warning: ${action.warning}`)] : []),
    actions(decisionButtons(approval, action)),
    context(formatWaiting(approval, approvers)),
  ];
}

function decidedBlocks(approval: Approval, action: BoundAction, state: string): KnownBlock[] {
  const buttons = decidedButtons(approval, action);
  return [context(state), ...(buttons.length > 0 ? [actions(buttons)] : [])];
}

/** The subject at the time of the request; labeled as such once it was decided. */
function formatDetails({ preview, state }: Approval, action: BoundAction): string {
  const format = (details: Detail[]) =>
    details.map(({ label, value }) => `${label} ${value}`).join(' · ');
  const seen = format(preview);
  const dated = seen && state !== 'pending' ? `When asked: ${seen}` : seen;
  return cutMrkdwn([format(action.details), dated].filter(Boolean).join(' · '), 1500);
}

/** The guards that passed, and those that could not be checked: approvers weigh both. */
function formatChecks(checks: StoredCheck[]): string {
  const formatAll = (result: StoredCheck['result']) =>
    checks
      .filter((check) => check.result === result)
      // Requests of earlier versions have labels alone.
      .map(({ label, words = label, detail }) => (detail ? `${words} (${detail})` : words));
  const passed = formatAll('passed');
  const notCheckable = formatAll('not_checkable');
  return [
    ...(passed.length > 0 ? [`Checked: ${passed.join('; ')}.`] : []),
    ...(notCheckable.length > 0 ? [`Could not check: ${notCheckable.join('; ')}.`] : []),
  ].join('\n');
}

function formatWaiting({ requester, expiresAt }: Approval, approvers: string[]): string {
  const others = approvers.filter((approver) => approver !== requester);
  const shown = others.slice(0, 10).map(mention).join(', ');
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  const who = shown ? `${shown}${more}` : 'an admin of this workspace';
  return `Waiting for ${who} until ${moment(expiresAt)}. Nobody can approve their own request.`;
}
