import { afterEach, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { messagesOf, seeAgain } from '../../support/ask.ts';
import { requestRoles } from '../../support/roles.ts';
import { changeSetup, requestSetup, reviewSetup } from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();
const channelId = 'C0APPROVE2';

afterEach(() => {
  inChannel(undefined);
  world().slack.setPerson(people.ana, { isDeactivated: false });
});

/** Everybody if undefined. */
function inChannel(members: string[] | undefined): void {
  const channel = world().workspace.channels.find((one) => one.channelId === channelId);
  if (members) Object.assign(channel ?? {}, { members });
  else delete channel?.members;
}

const announcementsTo = (person: { slackUserId: string }): Message[] =>
  messagesOf(world().cleo.other(person.slackUserId)).filter(({ text }) =>
    text.includes("changed Belay's setup"),
  );

test('a first approvals channel needs no approval, and is announced there and to those who are not in it', async () => {
  const { ana, ben, cleo } = world();
  inChannel([people.cleo]);
  const review = await reviewSetup(cleo, { channel: channelId });
  expect(review.submit).toBe('Save changes');
  expect(JSON.stringify(review.blocks)).toContain('Saving announces the changes');
  await cleo.submit(review, {});
  await cleo.close(await cleo.seeDialog('Belay is set up'));
  const direct = await ben.seeMessage("changed Belay's setup");
  expect(direct.channelId).not.toBe(channelId);
  expect(direct.text).toContain(`→ <#${channelId}>`);
  expect(direct.text).toContain('This change needed no approval.');
  const posted = await cleo.seeMessage("changed Belay's setup");
  expect(posted.channelId).toBe(channelId);
  expect(announcementsTo(ana)).toEqual([]);
});

test('approvers who are not in the approvals channel get a direct message', async () => {
  const { ana, ben, cleo } = world();
  inChannel([people.cleo, people.ben]);
  const request = await requestSetup(cleo, { approvers: [people.ben, people.ana] });
  await ben.press(request, 'Approve');
  await seeAgain(cleo, request, 'The setup was changed.');
  const direct = await ana.seeMessage("changed Belay's setup");
  expect(direct.channelId).not.toBe(channelId);
  expect((await ben.seeMessage("changed Belay's setup")).channelId).toBe(channelId);
  expect(announcementsTo(ben)).toHaveLength(1);
});

test('people who Slack does not list as members get a direct message too', async () => {
  const { ben, cleo, slack } = world();
  // Of the request for the change, and of its announcement.
  for (let call = 0; call < 2; call += 1) slack.failNext('conversations.members', 'internal_error');
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben] }));
  await ben.see(() => announcementsTo(ben)[1], 'both announcements');
  expect(announcementsTo(ben).map((one) => one.channelId)).toContain(channelId);
});

test('a former approver who was deactivated gets nothing', async () => {
  const { cleo, slack, logged } = world();
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.ana] }));
  slack.setPerson(people.ana, { isDeactivated: true });
  inChannel([people.cleo, people.ben]);
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben] }));
  // Posted after a message to Ana would have been.
  await cleo.close(await changeSetup(cleo, { grace: '0' }));
  expect(logged.join()).not.toContain('a channel is unreachable');
  expect(messagesOf(cleo).map(({ text }) => text)).not.toContainEqual(
    expect.stringContaining("can't post in"),
  );
});

test('guests in a group of approvers get nothing', async () => {
  const { ana, ben, cleo, gus, slack } = world();
  slack.setGroup('S0SECURITY', { members: [people.ana, people.ben, people.gus] });
  inChannel([people.cleo, people.ben]);
  const request = await requestRoles(cleo, ben, { approvers: [people.ben, 'S0SECURITY'] });
  await ben.press(request, 'Approve');
  await ana.see(() => announcementsTo(ana)[0], 'the announcement to a member of the group');
  // Announced after the others.
  await cleo.close(await changeSetup(cleo, { usersPerHour: '50' }));
  await ben.see(() => announcementsTo(ben)[1], 'a later announcement');
  expect(announcementsTo(gus)).toEqual([]);
});
