import { defaultAccess, type SetupChange } from '../../../src/features/workspaces/index.ts';

/** A change of everything, with `text` wherever an admin or the service can put text. */
export function sampleChange(text = 'x', changes: Partial<SetupChange> = {}): SetupChange {
  return {
    changeId: '0f9d3c9e-0000-4000-8000-000000000001',
    basedOn: 1,
    before: {
      ...{ regionId: text, regionLabel: text, organizationalUnitId: undefined },
      ...{ approvers: [], approvalsChannelId: 'C1', deleteGraceMinutes: 30, usersPerHour: 10 },
      weakeningApprovals: 3,
      access: defaultAccess,
    },
    after: {
      ...{ regionId: `${text}2`, regionLabel: text, organizationalUnitId: text.slice(0, 255) },
      ...{ unitName: text, approvers: ['U1', 'U2'], approvalsChannelId: undefined },
      ...{ deleteGraceMinutes: 0, usersPerHour: 1000, weakeningApprovals: 1 },
      access: {
        ...defaultAccess,
        roles: { viewers: ['S1'], operators: ['U1', 'S1'], auditors: ['U2'], admins: ['S2'] },
      },
    },
    ...{ tokenOwnerBefore: text.slice(0, 255), tokenOwnerAfter: undefined },
    ...{ connectionId: '0f9d3c9e-0000-4000-8000-000000000002', hasNewToken: true },
    ...changes,
  };
}
