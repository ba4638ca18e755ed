import { expect, test } from 'vitest';
import { invitationActions } from '../../../../src/features/users/invite/invite-action.ts';
import { limits } from '../../../../src/slack/ui/limits.ts';
import { openReference } from '../../../dataprotection/reference-service.ts';
import { kim, stageInvitations } from './invite-stage.ts';

const stage = stageInvitations();

/** An invitation again to units whose names end in their number. */
async function inviteTo(count: number, name: string) {
  const { client } = await openReference();
  const units = Array.from({ length: count }, (_, index) => ({
    id: `u${index}`,
    name: `${name} ${index}`,
  }));
  const role = { id: 'r1', name: 'Backup Operator' };
  const payload = { email: kim, fullName: 'Kim Park', role, units, replaces: '7' };
  const source = {
    roles: new Map([[role.id, role.name]]),
    units: new Map(units.map(({ id, name }) => [id, name])),
    isAutoProvisioned: false,
    user: undefined,
  };
  const service = {
    client,
    connectionId: 'c1',
    originId: 'c1',
    organizationalUnitId: undefined,
    tokenOwner: undefined,
  };
  return invitationActions['users.invite'].prepare(payload, source, service).action;
}

test('a request shows every unit of an invitation, and what follows', async () => {
  const long = 'Finance and accounting of the branch offices in the northern and southern regions';
  const action = await inviteTo(60, long);
  const sections = action.changes();
  for (const text of sections) expect(text.length).toBeLessThanOrEqual(limits.sectionText);
  const lines = sections.join('\n').split('\n');
  for (const index of Array.from({ length: 60 }).keys()) {
    expect(lines).toContain(`*Organizational unit*: ${long} ${index}`);
  }
  expect(lines).toContain('The service emails the invitation, which expires after 7 days.');
  expect(lines.at(-1)).toBe('The earlier invitation is deleted, and its link stops working.');
  expect(action.isShownExactly()).toBe(true);
});

test('an invitation with more than a message shows is not requested', async () => {
  expect((await inviteTo(100, '&'.repeat(180))).isShownExactly()).toBe(false);
});

test('a request shows the whole name of the person', async () => {
  const { ana } = stage.world();
  const fullName = `Kim ${'Maria '.repeat(41)}Park`;
  const request = await stage.request(ana, { fullName: { input: fullName } });
  expect(JSON.stringify(request.blocks)).toContain(`Invite *${fullName}* (${kim})`);
});
