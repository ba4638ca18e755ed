import { expect, it } from 'vitest';
import { changedRules } from '../../src/workspace/compare-rules.ts';
import { parseRuleFacts, ruleFacts } from '../../src/workspace/rule-facts.ts';
import { accessSettings } from '../../src/workspace/settings/document.ts';

const before = accessSettings.parse({
  rules: { 'users.rename': { remindAfterMinutes: 5 } },
});
const after = accessSettings.parse({
  rules: {
    'users.delete': {
      requesters: ['U1'],
      approvals: [
        { from: ['S1', 'U2'], count: 2 },
        { from: ['S2'], count: 1 },
      ],
      hoursToDecide: 1,
      hoursToRun: 2,
      remindAfterMinutes: 30,
      breakGlass: ['S3'],
    },
  },
});

it('stores both values of each changed part', () => {
  const [rename, remove] = changedRules(before, after).map(ruleFacts);
  expect(rename).toEqual({ rule: 'users.rename', remindAfterMinutesBefore: 5 });
  expect(remove).toEqual({
    rule: 'users.delete',
    requestersBefore: [],
    requestersAfter: ['U1'],
    approvalsBefore: [],
    approvalsAfter: ['2 of S1 U2', '1 of S2'],
    hoursToDecideBefore: 8,
    hoursToDecideAfter: 1,
    hoursToRunBefore: 24,
    hoursToRunAfter: 2,
    remindAfterMinutesAfter: 30,
    breakGlassBefore: [],
    breakGlassAfter: ['S3'],
  });
});

it('reads back what it stored', () => {
  for (const change of changedRules(before, after)) {
    const read = parseRuleFacts(ruleFacts(change));
    expect(read?.parts).toEqual(change.parts);
    for (const part of change.parts) {
      expect(read?.before[part]).toEqual(change.before[part]);
      expect(read?.after[part]).toEqual(change.after[part]);
    }
  }
  expect(parseRuleFacts({ hours: 2 })).toBeUndefined();
});
