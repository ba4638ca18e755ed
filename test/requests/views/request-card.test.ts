import { expect, it, test } from 'vitest';
import { approvableActions } from '../../../src/features/actions/index.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import type { ApprovalState } from '../../../src/requests/approval-state.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { approvalMessage, requesterMessage } from '../../../src/requests/views/approval-message.ts';
import { buttonsOf, textsOf } from '../../features/message-parts.ts';
import { sampleApproval, sampleVote } from '../sample-approval.ts';

const bind = createActionBinder(approvableActions);
const kim = { id: '7', fullName: 'Kim Lee', email: 'kim.lee@example.com' };
const at = new Date('2026-03-01T10:00:00Z');

type Changes = Parameters<typeof sampleApproval>[0];

function kimsRequest(changes: Changes): Approval {
  return sampleApproval({
    payload: kim,
    reason: '✅ *Approved by security*',
    attempts: 1,
    preview: [{ label: 'State', value: 'enabled' }],
    checks: [
      { label: 'one', result: 'passed', words: "requester isn't this user" },
      { label: 'two', result: 'not_checkable', words: 'token owner', detail: 'not set in setup' },
    ],
    sent: [{ step: 'disable', attempt: 1 }],
    ...changes,
  });
}

function show(approval: Approval) {
  const { text, blocks } = approvalMessage(approval, bind(approval), ['U2']);
  return { text, texts: textsOf(blocks), buttons: buttonsOf(blocks) };
}

it('shows a pending request as state, request, checks, reason, facts', () => {
  const { texts } = show(kimsRequest({ state: 'pending' }));
  expect(texts).toEqual([
    '⏳ Pending',
    expect.stringMatching(/^Waiting for <@U2> until <!date\^\d+\^[^>]*>\.$/),
    '<@U1> requests approval to disable *Kim Lee* (kim.lee@example.com)',
    "✓ Requester isn't this user\n⚠ Not checked: token owner (not set in setup)",
    expect.stringMatching(/^\*Reason\* from <@U1>\n> [^✅*]*∗Approved by security∗$/),
    'User ID: `7` · State: enabled',
  ]);
});

it('names the target in the accessible name of each button', () => {
  const { buttons } = show(kimsRequest({ state: 'pending' }));
  const who = 'Kim Lee (kim.lee@example.com)';
  expect(buttons.map((button) => button.accessibility_label)).toEqual([
    `Approve: disable ${who}`,
    `Approve with comment: disable ${who}`,
    `Deny: disable ${who}`,
    `Withdraw: disable ${who}`,
    `View user: ${who}`,
  ]);
  const styles = buttons.map((button) => button.style);
  expect(styles).toEqual(['primary', undefined, undefined, undefined, undefined]);
});

it('shows the outcome before the decision, and keeps the checks', () => {
  const decided = { votes: [sampleVote('U2')], decidedBy: 'U2', decidedAt: at };
  const { texts, text } = show(kimsRequest({ state: 'completed', ...decided }));
  const outcome = "*Kim Lee*'s account (kim.lee@example.com) is disabled.";
  expect(texts.slice(0, 4)).toEqual([
    '✅ Completed',
    expect.stringContaining(`${outcome}\nApproved by <@U2>`),
    '<@U1> requested approval to disable *Kim Lee* (kim.lee@example.com)',
    "At the time of the request:\n✓ Requester isn't this user\n⚠ Not checked: token owner (not set in setup)",
  ]);
  expect(text).toMatch(/^✅ Completed: \*Kim Lee\*'s account .* Approved by <@U2>/);
});

const titles: [ApprovalState, Changes, string][] = [
  ['approved', {}, '🔄 Running'],
  ['running', {}, '🔄 Running'],
  ['running', { canceledBy: 'U3' }, '🔄 Canceling'],
  ['scheduled', {}, '🕒 Scheduled'],
  ['completed', {}, '✅ Completed'],
  ['canceled', { step: 'cancel', canceledBy: 'U3' }, '🛑 Canceled'],
  ['failed', {}, '❌ Failed'],
  ['outcome_unknown', { sent: [{ step: 'delete', attempt: 1 }] }, '❓ Unknown outcome'],
  ['outcome_unknown', { sent: [], wakeAt: at }, '🔄 Running'],
  ['denied', {}, '⛔ Denied'],
  ['expired', {}, '⌛ Expired'],
  ['withdrawn', {}, '↩ Withdrawn'],
  ['voided', {}, '🚫 No longer valid'],
];
test.each(titles)('%s (%j) is titled %s in the channel and the copy', (state, changes, title) => {
  const approval = kimsRequest({
    action: 'users.delete',
    state,
    step: 'delete',
    ...changes,
  });
  expect(show(approval).texts[0]).toBe(title);
  const copy = requesterMessage(approval, bind(approval), { approvers: [], link: '<#C1>' });
  expect(textsOf(copy.blocks)[0]).toBe(title);
});

it('a deletion warns of disabling only a user who is enabled', () => {
  const snapshotOf = (isEnabled: boolean) => ({
    id: '7',
    email: kim.email,
    fullName: kim.fullName,
    isEnabled,
    isConfirmed: true,
    roles: null,
  });
  const warningFor = (isEnabled: boolean) =>
    show(kimsRequest({ action: 'users.delete', snapshot: snapshotOf(isEnabled) })).texts.at(-1);
  expect(warningFor(true)).toMatch(/^⚠ If approved, the user is disabled immediately and deleted/);
  expect(warningFor(false)).toMatch(/^⚠ If approved, the user is deleted after 30 minutes\./);
});
