import { expect, it } from 'vitest';
import type { Person } from '../../src/slack/api/person.ts';
import {
  GroupUnreadError,
  mayChange,
  mayRequestAction,
  shownRights,
} from '../../src/workspace/permissions.ts';
import { accessSettings } from '../../src/workspace/settings/document.ts';

const ana: Person = {
  slackUserId: 'U_ANA',
  membership: 'member',
  isAdmin: false,
  email: undefined,
  timeZone: 'UTC',
};
const settings = { approvers: ['U_BEN', 'U_GUEST'] };

it.each<[string, Person, boolean, boolean]>([
  ['the creator', ana, true, false],
  ['an approver', { ...ana, slackUserId: 'U_BEN' }, true, true],
  ['an admin', { ...ana, slackUserId: 'U_CLEO', isAdmin: true }, true, true],
  [
    'an approver who is a guest now',
    { ...ana, slackUserId: 'U_GUEST', membership: 'guest' },
    false,
    false,
  ],
])('returns what %s may change', async (_, person, ofAna, ofDan) => {
  expect(mayChange({ createdBy: 'U_ANA' }, person, settings)).toBe(ofAna);
  expect(mayChange({ createdBy: 'U_DAN' }, person, settings)).toBe(ofDan);
});

it('needs no group for the right of a creator, and hides rights that are unknown', async () => {
  const named = { approvers: ['S_OPS'] };
  expect(mayChange({ createdBy: 'U_ANA' }, ana, named)).toBe(true);
  expect(() => mayChange({ createdBy: 'U_DAN' }, ana, named)).toThrow(GroupUnreadError);
  expect(shownRights.mayChange({ createdBy: 'U_ANA' }, ana, named)).toBe(true);
  expect(shownRights.mayChange({ createdBy: 'U_DAN' }, ana, named)).toBe(false);
  expect(shownRights.mayDecide(ana, ['S_OPS'])).toBe(false);
});

const ruled = {
  approvers: [],
  access: accessSettings.parse({
    roles: { operators: ['UANA'] },
    rules: {
      'users.delete': { requesters: ['UBEN', 'SOPS'] },
      'users.disable': { hoursToDecide: 2 },
    },
  }),
};
const operator: Person = { ...ana, slackUserId: 'UANA' };
const standing = { groups: [], unreadGroups: [], admins: [] };

it.each<[string, Person, string, boolean]>([
  ['an operator', operator, 'users.delete', false],
  ['an operator', operator, 'users.disable', true],
  ['an operator', operator, 'setup.change', true],
  ['somebody whom the rule names', { ...ana, slackUserId: 'UBEN' }, 'users.delete', true],
  ['somebody whom another rule names', { ...ana, slackUserId: 'UBEN' }, 'users.disable', false],
  [
    'a member of a group that the rule names',
    { ...ana, slackUserId: 'UCLEO', standing: { ...standing, groups: ['SOPS'] } },
    'users.delete',
    true,
  ],
  [
    'a guest whom the rule names',
    { ...ana, slackUserId: 'UBEN', membership: 'guest' },
    'users.delete',
    false,
  ],
])('returns whether %s may request an action: %#', (_, person, action, isAllowed) => {
  const known = { standing, ...person };
  expect(mayRequestAction(known, ruled, action)).toBe(isAllowed);
});

it('does not say who may request an action while a group of its rule is unread', () => {
  const unread = { ...ana, standing: { ...standing, unreadGroups: ['SOPS'] } };
  expect(() => mayRequestAction(unread, ruled, 'users.delete')).toThrow(GroupUnreadError);
});
