import {
  actions,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { cutMrkdwn, mention, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import type { Check, Detail } from '../approvable-action.ts';
import type { Approval } from '../approval.ts';
import type { BoundAction } from '../bind-action.ts';
import { decisionButtons, followingButtons } from './approval-buttons.ts';
import { formatState } from './format-state.ts';

/** The request as its channel sees it, drawn from the row alone. `approvers` are asked by name. */
export function approvalMessage(
  approval: Approval,
  action: BoundAction,
  approvers: string[],
): Message {
  const title = `${mention(approval.requester)} asks to ${action.summary}.`;
  const isPending = approval.state === 'pending';
  const state = isPending ? 'Waiting for approval.' : formatState(approval, action);
  const known = [
    section(title),
    section(`*Reason*\n${safe(approval.reason, 1000)}`),
    context(previewLine(approval, action)),
  ];
  const rest = isPending ? waiting(approval, action, approvers) : decided(approval, action, state);
  return message(`${title} ${state}`, [...known, ...rest]);
}

function waiting(approval: Approval, action: BoundAction, approvers: string[]): KnownBlock[] {
  return [
    ...(approval.checks.length > 0 ? [context(checksText(approval.checks))] : []),
    ...(action.warning ? [section(`:warning: ${action.warning}`)] : []),
    actions(decisionButtons(approval, action)),
    context(waitingLine(approval, approvers)),
  ];
}

function decided(approval: Approval, action: BoundAction, state: string): KnownBlock[] {
  const buttons = followingButtons(approval, action);
  return [context(state), ...(buttons.length > 0 ? [actions(buttons)] : [])];
}

/** What was seen when it was asked for; once decided it may be otherwise, and so it says when. */
function previewLine({ preview, state }: Approval, action: BoundAction): string {
  const lineOf = (details: Detail[]) =>
    details.map(({ label, value }) => `${label} ${value}`).join(' · ');
  const seen = lineOf(preview);
  const dated = seen && state !== 'pending' ? `When asked: ${seen}` : seen;
  return cutMrkdwn([lineOf(action.details), dated].filter(Boolean).join(' · '), 1500);
}

/** What stood in nobody's way, and what Belay could not look at: both are for the approver to weigh. */
function checksText(checks: Check[]): string {
  const wordsOf = (result: Check['result']) =>
    checks
      .filter((check) => check.result === result)
      // A request of an older Belay has the short names alone.
      .map(({ label, words = label, detail }) => (detail ? `${words} (${detail})` : words));
  const passed = wordsOf('passed');
  const notCheckable = wordsOf('not_checkable');
  return [
    ...(passed.length > 0 ? [`Checked: ${passed.join('; ')}.`] : []),
    ...(notCheckable.length > 0 ? [`Could not check: ${notCheckable.join('; ')}.`] : []),
  ].join('\n');
}

function waitingLine({ requester, expiresAt }: Approval, approvers: string[]): string {
  const others = approvers.filter((approver) => approver !== requester);
  const shown = others.slice(0, 10).map(mention).join(', ');
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  const who = shown ? `${shown}${more}` : 'an admin of this workspace';
  return `Waiting for ${who} until ${moment(expiresAt)}. Nobody can approve their own request.`;
}
