import { beforeEach, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { changeSetup, openSetup, setupValues } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();
const ops = 'C0OPS00001';
const approvals = 'C0APPROVE2';

function announcements(): { channelId: string; text: string }[] {
  const { conversations } = world().cleo.snapshot();
  return conversations
    .flatMap(({ channelId, messages }) => messages.map(({ text }) => ({ channelId, text })))
    .filter(({ text }) => text.includes('changed who decides requests'));
}

beforeEach(async () => {
  const { cleo, slack } = world();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben], channel: approvals }));
  slack.reset();
});

test('announces new and previous approvers in the approvals channel', async () => {
  const { cleo } = world();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo] }));
  const text = `<@${people.cleo}> changed who decides requests: now <@${people.ben}>, <@${people.cleo}> (before: <@${people.ben}>).`;
  expect(announcements()).toEqual([{ channelId: approvals, text }]);
});

test('announces that the admins are the approvers if none are set', async () => {
  const { cleo } = world();
  await cleo.close(await changeSetup(cleo, { approvers: [] }));
  expect(announcements()).toMatchObject([
    { text: expect.stringContaining('now the admins of this workspace (before:') },
  ]);
});

test('announces nothing if the approvers are unchanged', async () => {
  const { cleo } = world();
  await cleo.close(await changeSetup(cleo, { grace: '5' }));
  expect(announcements()).toEqual([]);
});

test.each([
  ['another channel', ops, [approvals, ops]],
  ['no channel', null, [approvals]],
])('also announces in the previous channel if there is now %s', async (_, channel, announced) => {
  const { cleo } = world();
  await cleo.close(await changeSetup(cleo, { approvers: [people.cleo], channel }));
  const channelIds = announcements().map(({ channelId }) => channelId);
  expect(channelIds.sort()).toEqual([...announced].sort());
});

test('the response names a channel where the announcement failed', async () => {
  const { cleo, workspace, logged } = world();
  const form = await openSetup(cleo);
  const left = workspace.channels.find(({ channelId }) => channelId === approvals);
  if (!left) throw new Error('there is no approvals channel');
  left.appIsMember = false;
  await cleo.submit(form, setupValues({ approvers: [people.cleo], channel: ops }));
  const saved = await cleo.seeDialog('Belay is set up');
  left.appIsMember = true;
  expect(JSON.stringify(saved.blocks)).toContain(`could not be announced in <#${approvals}>`);
  expect(announcements()).toMatchObject([{ channelId: ops }]);
  expect(logged.some((line) => line.includes('new approvers could not be announced'))).toBe(true);
});
