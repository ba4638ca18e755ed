import type { CurrentSetup, SetupChange, SetupValues } from '../workspaces/index.ts';

export type Setting =
  | 'region'
  | 'organizationalUnit'
  | 'token'
  | 'tokenOwner'
  | 'approvers'
  | 'approvalsChannel'
  | 'deleteGrace'
  | 'usersPerHour';

/** `weakens`: whether it could take a guard down, and so needs a second person and an announcement. */
export type SettingChange = { setting: Setting; weakens: boolean };

/**
 * The settings that a change makes different. A new token for the same region and unit weakens
 * nothing: Belay can't see whether it belongs to another tenant, but on another tenant it can do no
 * harm to this one.
 */
export function compareSetup(change: SetupChange): SettingChange[] {
  const { before, after, tokenOwnerBefore, tokenOwnerAfter, hasNewToken } = change;
  const isOther = (key: keyof SetupValues) => before[key] !== after[key];
  const compared: [Setting, boolean, boolean][] = [
    ['region', isOther('regionId'), true],
    ['organizationalUnit', isOther('organizationalUnitId'), true],
    ['token', hasNewToken, false],
    // Protecting one more user also stops the waiting requests about that user.
    ['tokenOwner', tokenOwnerBefore !== tokenOwnerAfter, true],
    ['approvers', !hasSamePeople(before.approvers, after.approvers), true],
    ['approvalsChannel', isOther('approvalsChannelId'), before.approvalsChannelId !== undefined],
    [
      'deleteGrace',
      isOther('deleteGraceMinutes'),
      after.deleteGraceMinutes < before.deleteGraceMinutes,
    ],
    ['usersPerHour', isOther('usersPerHour'), after.usersPerHour > before.usersPerHour],
  ];
  return compared.flatMap(([setting, isDifferent, weakens]) =>
    isDifferent ? [{ setting, weakens }] : [],
  );
}

/**
 * Whether the change takes a second person. The unit may be chosen once right after the first setup,
 * whose form can't list the units yet.
 */
export function isWeakening(
  change: SetupChange,
  { revision, isUnitChoice }: Pick<CurrentSetup, 'revision'> & { isUnitChoice: boolean },
): boolean {
  const isFirstUnit =
    isUnitChoice && revision === 1 && change.before.organizationalUnitId === undefined;
  return compareSetup(change).some(
    ({ setting, weakens }) => weakens && !(setting === 'organizationalUnit' && isFirstUnit),
  );
}

function hasSamePeople(before: string[], after: string[]): boolean {
  return before.length === after.length && after.every((id) => before.includes(id));
}
