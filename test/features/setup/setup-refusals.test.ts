import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { openSetup, setupValues, submitSetup } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();
const refused = 'wrong, expired, or from another portal';

function at(index: number) {
  const portal = world().service.portals[index];
  if (!portal) throw new Error(`no portal ${index}`);
  return portal;
}

test('only admins can set up Belay', async () => {
  const { ana, logged } = world();
  await ana.send('ops', '/belay setup');
  const answer = await ana.seeMessage('Only admins can set up Belay.');
  expect(answer).toMatchObject({ isEphemeral: true });
  expect(ana.snapshot().views).toEqual([]);
  expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
});

test('a person who is no longer an admin when submitting saves nothing', async () => {
  const { cleo, slack, portal, logged } = world();
  const form = await openSetup(cleo);
  slack.setPerson(people.cleo, { isAdmin: false });
  await cleo.submit(form, setupValues({ token: portal.token }));
  await cleo.seeDialog('Only admins can set up Belay. Nothing was changed.');
  expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
});

test('a refused token is reported beside region and token, and is not sent to other portals', async () => {
  const { cleo, service } = world();
  const token = 'not-a-token-of-any-portal';
  const form = await openSetup(cleo);
  await cleo.submit(form, setupValues({ region: at(1).id, token }));

  const open = await cleo.seeDialog(refused);
  expect(open.viewId).toBe(form.viewId);
  expect(Object.keys(open.errors).sort()).toEqual(['regionId', 'token']);
  expect(open.errors.regionId).toContain(refused);
  expect(open.errors.token).toContain(refused);
  expect(service.requests.length).toBeGreaterThan(0);
  expect(service.requests.filter(({ portalId }) => portalId !== at(1).id)).toEqual([]);
});

test('a token of another portal is sent only to the chosen portal', async () => {
  const { cleo, service } = world();
  const { token } = at(2);
  await submitSetup(cleo, { region: at(1).id, token });
  await cleo.seeDialog(refused);
  const requesters = service.requests.filter(({ headers }) =>
    headers.authorization?.includes(token),
  );
  expect(new Set(requesters.map(({ portalId }) => portalId))).toEqual(new Set([at(1).id]));
});

test('a stored token is not sent to another portal', async () => {
  const { cleo, service } = world();
  await submitSetup(cleo, { region: at(1).id });
  const open = await cleo.seeDialog('Enter an API token from us-east.portal.example.');
  expect(Object.keys(open.errors)).toEqual(['token']);
  expect(service.requests).toEqual([]);
});

test('a unit that the token has no access to is reported beside the unit', async () => {
  const { cleo, portal } = world();
  const unit = portal.organizationalUnits.find(({ isDefault }) => !isDefault)?.id ?? '';
  await submitSetup(cleo, { token: portal.restrictedToken, unit });
  const open = await cleo.seeDialog('The service accepts the token, but not for this unit.');
  expect(Object.keys(open.errors)).toEqual(['organizationalUnitId']);
});

test.each(['no such unit', '../users', 'ünit', '\u0000'])(
  'an invalid unit is refused: %j',
  async (unit) => {
    const { cleo, portal, logged } = world();
    await submitSetup(cleo, { token: portal.token, unit });
    const open = await cleo.see(
      ({ views }) => views.find(({ errors }) => Object.keys(errors).length > 0),
      'an error beside a field',
    );
    expect(Object.keys(open.errors)).toEqual(['organizationalUnitId']);
    expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
  },
);

test.each(['a b', 'tökén', 'two\u0000parts', '🚨'])(
  'a token that is not valid in a header is refused: %j',
  async (token) => {
    const { cleo, logged } = world();
    await submitSetup(cleo, { token });
    const open = await cleo.see(
      ({ views }) => views.find(({ errors }) => Object.keys(errors).length > 0),
      'an error beside a field',
    );
    expect(Object.keys(open.errors)).toContain('token');
    expect(logged.some((line) => line.includes('setup was saved'))).toBe(false);
  },
);

test.each([
  ['a guest', people.gus],
  ['someone from another workspace', people.sam],
  ['Belay itself', 'U0BELAYBOT'],
])('%s cannot be an approver', async (_who, slackUserId) => {
  const { cleo } = world();
  await submitSetup(cleo, { approvers: [people.ben, slackUserId] });
  const open = await cleo.seeDialog('Choose only active full members of this workspace.');
  expect(Object.keys(open.errors)).toEqual(['approvers']);
});

test('a channel that Belay is not in is refused', async () => {
  const { cleo, workspace } = world();
  workspace.channels.push({ channelId: 'C0BOARD004', name: 'board', appIsMember: false });
  await submitSetup(cleo, { channel: 'C0BOARD004' });
  const open = await cleo.seeDialog("Belay isn't in this channel. Invite Belay");
  expect(Object.keys(open.errors)).toEqual(['approvalsChannel']);
});

test('several errors are shown together', async () => {
  const { cleo } = world();
  const form = await openSetup(cleo);
  await cleo.submit(form, { ...setupValues({ token: 'wrong' }), name: { input: 'two words' } });
  const open = await cleo.seeDialog(refused);
  expect(Object.keys(open.errors).sort()).toEqual(['name', 'regionId', 'token']);
});
