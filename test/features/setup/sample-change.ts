import {
  type AccessSettings,
  defaultAccess,
  defaultSettings,
} from '../../../src/workspace/settings/document.ts';
import type { SetupChange } from '../../../src/workspace/setup-change.ts';

/** A change of everything, with `text` wherever an admin or the service can put text. */
export function sampleChange(text = 'x', changes: Partial<SetupChange> = {}): SetupChange {
  return {
    changeId: '0f9d3c9e-0000-4000-8000-000000000001',
    basedOn: 1,
    before: {
      regionId: text,
      regionLabel: text,
      organizationalUnitId: undefined,
      ...defaultSettings,
      approvers: [],
      approvalsChannel: 'C1',
      weakeningApprovals: 3,
      access: defaultAccess,
    },
    after: {
      regionId: `${text}2`,
      regionLabel: text,
      organizationalUnitId: text.slice(0, 255),
      unitName: text,
      ...defaultSettings,
      approvers: ['U1', 'U2'],
      approvalsChannel: undefined,
      deleteGraceMinutes: 0,
      usersPerHour: 1000,
      weakeningApprovals: 1,
      access: {
        ...defaultAccess,
        roles: { viewers: ['S1'], operators: ['U1', 'S1'], auditors: ['U2'], admins: ['S2'] },
      },
    },
    tokenOwnerBefore: text.slice(0, 255),
    tokenOwnerAfter: undefined,
    connectionId: '0f9d3c9e-0000-4000-8000-000000000002',
    hasNewToken: true,
    ...changes,
  };
}

/** A change of every part of a rule and of all protected users, and of nothing else. */
export function changeOfRules(text = 'x'): SetupChange {
  const { before: values } = sampleChange(text);
  const access: AccessSettings = {
    ...defaultAccess,
    rules: {
      'users.delete': {
        requesters: ['U1', 'S1'],
        hoursToDecide: 2,
        hoursToRun: 48,
        remindAfterMinutes: 30,
        approvals: [
          { from: ['S2'], count: 1 },
          { from: ['S3', 'U2', 'U3'], count: 2 },
        ],
        breakGlass: ['U1', 'S1'],
      },
      'policies.replace': {
        requesters: [],
        approvals: [],
        hoursToDecide: 8,
        hoursToRun: 24,
        breakGlass: [],
      },
    },
    protectedUsers: {
      addresses: [`x${text.slice(0, 100)}@example.com`],
      domains: [`x${text}`.slice(0, 100)],
      roles: [`x${text}`.slice(0, 200)],
    },
  };
  return sampleChange(text, {
    before: { ...values, access: defaultAccess },
    after: { ...values, access },
    tokenOwnerBefore: undefined,
    connectionId: undefined,
    hasNewToken: false,
  });
}
