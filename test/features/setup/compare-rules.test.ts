import { expect, it } from 'vitest';
import { compareSetup } from '../../../src/features/setup/compare-setup.ts';
import { type ActionRule, defaultRule, type ProtectedUsers } from '../../../src/workspace/rules.ts';
import { accessSettings } from '../../../src/workspace/settings/document.ts';
import { sampleChange } from './sample-change.ts';

type Access = { rules?: object; protectedUsers?: Partial<ProtectedUsers> };

/** What a change of nothing but this requires. */
function compare(before: Access, after: Access) {
  const { before: values } = sampleChange();
  const change = sampleChange('x', {
    before: { ...values, access: accessSettings.parse(before) },
    after: { ...values, access: accessSettings.parse(after) },
    tokenOwnerBefore: undefined,
    hasNewToken: false,
    connectionId: undefined,
  });
  return compareSetup(change);
}

const approvals = [
  { from: ['S1'], count: 1 },
  { from: ['U1', 'S2'], count: 2 },
];
const full: ActionRule = {
  requesters: ['U1', 'S1'],
  approvals,
  hoursToDecide: 4,
  hoursToRun: 12,
  remindAfterMinutes: 30,
  breakGlass: ['U1', 'S1'],
};

it.each<[string, Partial<ActionRule>, 'approval' | 'announcement' | undefined]>([
  [
    'the same in another order',
    { approvals: approvals.toReversed(), requesters: ['S1', 'U1'] },
    undefined,
  ],
  ['other requesters', { requesters: ['U2'] }, 'approval'],
  ['fewer requesters', { requesters: ['U1'] }, 'approval'],
  ['every operator as requester', { requesters: [] }, 'approval'],
  ['fewer approvals', { approvals: approvals.slice(1) }, 'approval'],
  ['another group of approvers', { approvals: [{ from: ['S3'], count: 1 }] }, 'approval'],
  [
    'a lower count',
    {
      approvals: [
        { from: ['S1'], count: 1 },
        { from: ['U1', 'S2'], count: 1 },
      ],
    },
    'approval',
  ],
  [
    'one approval more, which voids what waits',
    { approvals: [...approvals, { from: ['U9'], count: 1 }] },
    'approval',
  ],
  ['more time to decide', { hoursToDecide: 5 }, 'approval'],
  ['less time to decide', { hoursToDecide: 3 }, 'announcement'],
  ['more time to run', { hoursToRun: 13 }, 'approval'],
  ['less time to run', { hoursToRun: 11 }, 'announcement'],
  ['other reminders', { remindAfterMinutes: 60 }, 'announcement'],
  ['no reminders', { remindAfterMinutes: undefined }, 'announcement'],
  ['break-glass for somebody else', { breakGlass: ['U1', 'U2'] }, 'approval'],
  ['break-glass for fewer', { breakGlass: ['S1'] }, 'announcement'],
  ['no break-glass', { breakGlass: [] }, 'announcement'],
])('says what %s requires', (_, changed, requires) => {
  const found = compare(
    { rules: { 'users.delete': full } },
    { rules: { 'users.delete': { ...full, ...changed } } },
  );
  expect(found).toEqual(requires ? [{ setting: 'rules', requires }] : []);
});

it('treats an empty rule as no rule', () => {
  expect(compare({}, { rules: { 'users.delete': defaultRule } })).toEqual([]);
});

it('requires approval if one of several rules becomes weaker, or a rule that weakens ends', () => {
  const before = { rules: { 'users.delete': full, 'users.rename': { hoursToDecide: 8 } } };
  const after = {
    rules: { 'users.delete': { ...full, hoursToRun: 1 }, 'users.rename': { hoursToDecide: 9 } },
  };
  expect(compare(before, after)).toEqual([{ setting: 'rules', requires: 'approval' }]);
  expect(compare({ rules: { 'users.delete': full } }, {})).toEqual([
    { setting: 'rules', requires: 'approval' },
  ]);
});

it.each([
  { addresses: [] },
  { addresses: ['a@example.com', 'b@example.com'] },
  { domains: ['example.com'] },
  { roles: ['Owner'] },
])('requires approval for other protected users: %j', (users) => {
  const before = { protectedUsers: { addresses: ['a@example.com'] } };
  const after = { protectedUsers: { addresses: ['a@example.com'], ...users } };
  expect(compare(before, after)).toEqual([{ setting: 'protectedUsers', requires: 'approval' }]);
  expect(compare(before, before)).toEqual([]);
});
