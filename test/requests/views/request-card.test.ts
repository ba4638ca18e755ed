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

it('shows a pending request as subject, state, checks, reason, facts', () => {
  const { text, texts } = show(kimsRequest({ state: 'pending' }));
  expect(text).toMatch(/^⏳ Pending: <@U1> requests approval to disable \*Kim Lee\*/);
  expect(texts).toEqual([
    'Disable Kim Lee (kim.lee@example.com)',
    expect.stringMatching(/^⏳ \*Pending\* · Approver: <@U2> · Expires <!date\^\d+\^[^>]*>$/),
    "✓ Requester isn't this user\n⚠ Couldn't check: token owner (not set in setup)",
    expect.stringMatching(/^\*Requested by\* <@U1>\n> [^✅*]*∗Approved by security∗$/),
    'User ID: `7` · State: enabled',
  ]);
});

it('names the target in the accessible name of each button', () => {
  const { buttons } = show(kimsRequest({ state: 'pending' }));
  const who = 'Kim Lee (kim.lee@example.com)';
  expect(buttons.map((button) => button.accessibility_label)).toEqual([
    `Approve: disable ${who}`,
    `Deny: disable ${who}`,
  ]);
  expect(buttons.map((button) => button.style)).toEqual(['primary', undefined]);
});

it('shows the decision before the outcome, and keeps the checks', () => {
  const decided = { votes: [sampleVote('U2')], decidedBy: 'U2', decidedAt: at };
  const { texts, text } = show(kimsRequest({ state: 'completed', ...decided }));
  const outcome = "*Kim Lee*'s account (kim.lee@example.com) is disabled.";
  expect(texts[1]).toContain(`\n${outcome}`);
  expect(texts.slice(0, 3)).toEqual([
    'Disable Kim Lee (kim.lee@example.com)',
    expect.stringMatching(/^✅ \*Completed\* · Approved by <@U2> /),
    "At the time of the request:\n✓ Requester isn't this user\n⚠ Couldn't check: token owner (not set in setup)",
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
  ['voided', {}, '🚫 Voided'],
];
test.each(titles)('%s (%j) shows %s in the channel and the copy', (state, changes, shown) => {
  const [icon, ...words] = shown.split(' ');
  const line = `${icon} *${words.join(' ')}*`;
  const approval = kimsRequest({
    action: 'users.delete',
    state,
    step: 'delete',
    ...changes,
  });
  const subject = 'Delete Kim Lee (kim.lee@example.com)';
  expect(show(approval).texts.slice(0, 2)).toEqual([subject, expect.stringContaining(line)]);
  const copy = requesterMessage(approval, bind(approval), { approvers: [], link: '<#C1>' });
  expect(textsOf(copy.blocks).slice(0, 2)).toEqual([subject, expect.stringContaining(line)]);
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

it('repeats a subject that may be cut in the title', () => {
  const email = `${'kim.lee.'.repeat(10)}@example.com`;
  const payload = { ...kim, fullName: 'Kim Lee '.repeat(12).trim(), email };
  const { texts } = show(kimsRequest({ state: 'pending', payload }));
  expect(texts[0]).toMatch(/^Disable Kim Lee .*…$/);
  expect(texts[1]).toBe(`Disable *${payload.fullName}* (${email})`);
});
